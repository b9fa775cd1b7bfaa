// @ts-check
/** 場次: every tier, and what it is changed to for tables opened from then on. */
import { formatNumber, formatRate, t } from '../i18n.js';
import { h } from '../view/dom.js';
import { openForm } from './form.js';
import * as house from './house.js';
import { button, keepLoaded, table, yesNo } from './parts.js';

/** @typedef {import('./form.js').Field} Field */
/** @typedef {import('../operator.js').Desk} Desk */

const NUMBERS = ['base', 'entry_min', 'entry_max', 'rake_bp', 'table_fee', 'min_fan'];
const OPTIONAL = ['entry_max', 'min_fan'];
const SWITCHES = ['open_hand', 'double', 'is_open'];
const BLANK = { name: '', rake_bp: 500, table_fee: 0, open_hand: true, double: true, is_open: false, clocks: {} };

/** @param {any} tier @returns {Field[]} */
const fieldsOf = (tier) => [
  { name: 'name', label: 'op.tier.name', value: tier.name },
  ...NUMBERS.map((name) => ({
    name,
    label: `op.tier.${name}`,
    kind: /** @type {const} */ ('number'),
    value: tier[name],
    optional: OPTIONAL.includes(name),
  })),
  ...SWITCHES.map((name) => ({
    name,
    label: `op.tier.${name}`,
    kind: /** @type {const} */ ('switch'),
    value: tier[name],
  })),
  ...Object.entries(tier.clocks).map(([name, value]) => ({
    name,
    label: `op.clock.${name}`,
    kind: /** @type {const} */ ('number'),
    value,
    group: 'op.clocks',
  })),
];

/** What the form holds, with the clocks where the house has them. @param {any} tier @param {Record<string, any>} values */
function bodyOf(tier, values) {
  const isClock = (/** @type {[string, any]} */ [name]) => name in tier.clocks;
  const clocks = Object.entries(values).filter(isClock);
  const rest = Object.entries(values).filter((pair) => !isClock(pair));
  return Object.fromEntries(clocks.length ? [...rest, ['clocks', Object.fromEntries(clocks)]] : rest);
}

/** @param {any} tier @param {() => void} done */
const edit = (tier, done) =>
  openForm({
    name: 'tier',
    title: t('op.tiers.edit.title', { name: tier.name }),
    note: t('op.tiers.note'),
    fields: fieldsOf(tier),
    version: tier.version,
    presentOf: (present) => ({ ...present, ...present.clocks }),
    send: (values) => house.changeTier(tier.id, bodyOf(tier, values)),
    done,
  });

/** @param {string[]} rulesets @param {() => void} done */
const create = (rulesets, done) =>
  openForm({
    name: 'new-tier',
    title: t('op.tiers.new'),
    fields: [
      { name: 'id', label: 'op.tier.id' },
      { name: 'ruleset', label: 'op.tier.ruleset', kind: 'choice', options: rulesets.map((id) => [id, id]) },
      ...fieldsOf(BLANK),
    ],
    send: house.createTier,
    done,
  });

/** @param {any} tier @param {Desk} desk @param {() => void} again */
const row = (tier, desk, again) => [
  h('b', {}, tier.name),
  h('small', {}, tier.id),
  formatNumber(tier.base),
  `${formatNumber(tier.entry_min)} – ${tier.entry_max === null ? '∞' : formatNumber(tier.entry_max)}`,
  formatRate(tier.rake_bp),
  formatNumber(tier.table_fee),
  tier.min_fan ?? t('op.none'),
  yesNo(tier.open_hand),
  yesNo(tier.double),
  yesNo(tier.is_open),
  formatNumber(tier.online),
  formatNumber(tier.version),
  desk.may('operator') && button('edit', t('op.tiers.edit'), () => edit(tier, again), { 'data-tier': tier.id }),
];

const HEAD = ['name', 'id', 'base', 'entry', 'rake', 'table_fee', 'min_fan.short', 'open_hand', 'double', 'is_open', 'online'];

/** @param {HTMLElement} host @param {Desk} desk */
export function show(host, desk) {
  keepLoaded(host, house.fetchTiers, ({ items }, again) => [
    desk.may('operator') &&
      button('new-tier', t('op.tiers.new'), () => create([...new Set(items.map((/** @type {any} */ tier) => tier.ruleset))], again)),
    table(
      [...HEAD.map((name) => t(`op.tier.${name}`)), t('op.version'), t('op.actions')],
      items.map((/** @type {any} */ tier) => row(tier, desk, again)),
      'tiers',
    ),
  ]);
}
