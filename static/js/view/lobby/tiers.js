// @ts-check
/** Rule sets, tiers, and what one can do with the chosen one. */
import { formatNumber, t } from '../../i18n.js';
import { cls, h } from '../dom.js';
import { failed, loading } from '../lists.js';
import { askOpening } from './opening.js';

/**
 * @typedef {import('../../lobby.js').LobbyState} LobbyState
 * @typedef {import('../../lobby.js').LobbyIntents} LobbyIntents
 * @typedef {import('../../protocol.js').Tier} Tier
 */

/** Rule sets in the order the tiers come in. @param {Tier[]} tiers */
function rulesetsOf(tiers) {
  /** @type {Map<string, Tier>} */
  const first = new Map();
  for (const tier of tiers) if (!first.has(tier.ruleset)) first.set(tier.ruleset, tier);
  return [...first.values()];
}

/** @param {Pick<LobbyState, 'tiers'|'ruleset'>} slice @param {LobbyIntents} intents */
export const drawRulesets = ({ tiers, ruleset }, intents) =>
  rulesetsOf(tiers ?? []).map((tier) =>
    h(
      'button',
      {
        type: 'button',
        role: 'radio',
        class: cls('segment', tier.ruleset === ruleset && 'on'),
        'aria-checked': String(tier.ruleset === ruleset),
        tabindex: tier.ruleset === ruleset ? 0 : -1,
        'data-ruleset': tier.ruleset,
        'data-key': `rules-${tier.ruleset}`,
        onclick: () => intents.chooseRuleset(tier.ruleset),
      },
      t('lobby.ruleset', { name: tier.ruleset_name, n: tier.tiles }),
    ),
  );

/** The sign on a tier's medal: what tells it from the others of its family. @param {string} name @param {string} family */
const medalSign = (name, family) => ([...name][0] === family ? [...name][1] : [...name][0]);

/** Why a player cannot sit down there, or how much it takes. @param {Tier} tier @param {number} coins */
function entryWords(tier, coins) {
  if (!tier.open) return { barred: true, text: t('lobby.closed') };
  if (coins < tier.entry_min) return { barred: true, text: t('lobby.short', { n: tier.entry_min - coins }) };
  if (tier.entry_max !== null && coins > tier.entry_max) return { barred: true, text: t('lobby.rich') };
  return { barred: false, text: t('lobby.entry', { n: tier.entry_min }) };
}

/** @typedef {{tiers: Tier[]|null, failed: boolean, ruleset: string, chosen: string, last: string, coins: number}} TierSlice */

/** @param {Tier} tier @param {number} place @param {string} family @param {TierSlice} slice @param {LobbyIntents} intents */
function drawTier(tier, place, family, { chosen, coins, last }, intents) {
  const { barred, text } = entryWords(tier, coins);
  const isChosen = tier.id === chosen && tier.open;
  return h(
    'button',
    {
      type: 'button',
      role: 'radio',
      class: cls('tier', isChosen && 'on', barred && 'barred'),
      'aria-checked': String(isChosen),
      tabindex: tier.id === chosen ? 0 : -1,
      'data-tier': tier.id,
      'data-key': `tier-${tier.id}`,
      disabled: !tier.open,
      onclick: () => intents.chooseTier(tier.id),
    },
    h(
      'span',
      { class: `medal medal-${(place % 6) + 1}`, 'aria-hidden': 'true' },
      medalSign(tier.name, family),
    ),
    tier.open && tier.online > 0 && h('span', { class: 'online' }, t('lobby.online', { n: tier.online })),
    h(
      'span',
      { class: 'tier-name' },
      tier.name,
      tier.id === last && h('small', { class: 'last-time' }, t('lobby.last_time')),
    ),
    h('span', { class: 'stake' }, h('i', {}, t('lobby.base')), h('b', {}, formatNumber(tier.base))),
    h('span', { class: 'entry' }, text),
  );
}

/** The first letter most names share. @param {Tier[]} tiers */
function familyOf(tiers) {
  const firsts = tiers.map((tier) => [...tier.name][0]);
  return firsts.find((letter, i) => firsts.indexOf(letter) !== i) ?? '';
}

/** @param {TierSlice} slice @param {LobbyIntents} intents */
export function drawTiers(slice, intents) {
  if (!slice.tiers) return slice.failed ? failed(intents.loadTiers) : loading();
  const tiers = slice.tiers.filter((tier) => tier.ruleset === slice.ruleset);
  const family = familyOf(tiers);
  return tiers.map((tier, place) => drawTier(tier, place, family, slice, intents));
}

/**
 * What can be begun at the chosen tier: nothing from another table; practice wherever the tier is open, all
 * else where the player's own coins reach.
 * @param {LobbyState} state
 */
export function chosenTier({ tiers, tier, me, roomId }) {
  const chosen = roomId === null ? tiers?.find(({ id, open }) => id === tier && open) : undefined;
  return { chosen: chosen ?? null, enters: Boolean(chosen && !entryWords(chosen, me.coins).barred) };
}

/** @param {string} name @param {string} look @param {boolean} enabled @param {() => void} onclick @param {string} [small] */
const call = (name, look, enabled, onclick, small = '') =>
  h(
    'button',
    {
      type: 'button',
      class: `button ${look}`,
      'data-testid': name,
      'data-key': name,
      disabled: !enabled,
      onclick,
    },
    t(`lobby.${name.replace('-', '_')}`),
    small && h('small', {}, small),
  );

/** @param {{chosen: Tier|null, enters: boolean, busy: boolean, problem: string}} slice @param {LobbyIntents} intents */
export function drawCalls({ chosen, enters, busy, problem }, intents) {
  const opens = enters && !busy;
  const ask = (/** @type {boolean} */ isPrivate) => () => chosen && askOpening(chosen, isPrivate, intents);
  return [
    h('p', { class: 'problem', role: 'alert', 'data-testid': 'lobby-problem' }, problem),
    call('practise', 'framed practise', chosen !== null && !busy, intents.practise, t('coins.practice')),
    call('create-private', 'framed', opens, ask(true)),
    call('create-public', 'framed', opens, ask(false)),
    call('quick-start', 'primary', opens, intents.quickStart),
  ];
}
