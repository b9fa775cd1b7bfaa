// @ts-check
/** The rule book: what sets a rule set apart, its fans by value, money and titles. */
import { spread } from '../calculator.js';
import { formatNumber, t } from '../i18n.js';
import { mountCalculator } from './calculator.js';
import { cls, h, region } from './dom.js';
import { framed } from './frame.js';
import { failed, loading } from './lists.js';
import { meldView } from './melds.js';
import { segments } from './segments.js';
import { tileView } from './tile.js';

/**
 * @typedef {import('../rules.js').RulesState} RulesState
 * @typedef {import('../rules.js').RulesIntents} RulesIntents
 */

/** @param {string} name @param {string} value */
const fact = (name, value) => h('p', { class: 'fact' }, h('span', {}, name), h('b', {}, value));

/** @param {number} factor */
const factor = (factor) => (factor > 1 ? t('rules.facts.multiplier', { n: factor }) : t('rules.facts.none'));

/** @param {any} book */
function drawFacts(book) {
  const { open_hand: open, double, ready } = book.multipliers;
  const declared = t(`rules.facts.ready.${book.ready}`);
  const rewarded = ready > 1 ? ` · ${t('rules.facts.ready_multiplier', { n: ready })}` : '';
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, t('rules.facts')),
    fact(t('rules.facts.open_hand'), factor(open)),
    fact(t('rules.facts.double'), factor(double)),
    fact(t('rules.facts.ready'), declared + rewarded),
    fact(t('rules.facts.winds'), t(`rules.facts.winds.${book.winds ? 'yes' : 'no'}`)),
    fact(t('rules.facts.last'), t(`rules.facts.last.${book.claims_after_last_tile ? 'yes' : 'no'}`)),
    fact(t('rules.facts.counting'), t(`rules.facts.counting.${book.counting}`)),
  );
}

/** @param {any} book */
const drawMoney = (book) =>
  h(
    'section',
    { class: 'panel' },
    h('h2', {}, t('rules.money')),
    h('p', {}, t('rules.money.win')),
    h('p', {}, t('rules.money.draw')),
    h('p', {}, t('rules.money.escape', { n: book.escape_factor })),
    h('p', {}, t('rules.money.points', { n: book.escape_points })),
  );

/** @param {any} book */
const drawRanks = (book) =>
  h(
    'section',
    { class: 'panel' },
    h('h2', {}, t('rules.ranks')),
    h(
      'ol',
      { class: 'rank-list' },
      book.ranks.map((/** @type {any} */ rank) => h('li', {}, h('b', {}, rank.name), formatNumber(rank.points))),
    ),
  );

/** The tiles of an example: melds, hand, winning tile, flowers. @param {any} example */
function drawExample(example) {
  const melds = (example.melds ?? []).map((/** @type {any} */ meld) =>
    meldView({ type: meld.type, tiles: spread(meld.tiles), claimed: null }),
  );
  return h(
    'div',
    { class: 'example' },
    melds,
    h('div', { class: 'tiles' }, spread(example.hand).map((tile) => tileView(tile))),
    tileView(example.win_tile, 'winning'),
    example.flowers && h('div', { class: 'tiles' }, spread(example.flowers).map((tile) => tileView(tile))),
  );
}

/** @param {any} fan @param {Map<string, string>} names @param {RulesIntents} intents */
function drawFan(fan, names, intents) {
  const value = t(fan.per_tile ? 'rules.fans.per_tile' : 'rules.fans.value', { n: fan.value });
  const excluded = fan.excludes.map((/** @type {string} */ id) => names.get(id)).join(' ');
  return h(
    'li',
    { class: cls('fan', fan.unreachable && 'never'), 'data-fan': fan.id },
    h('div', { class: 'head' }, h('b', {}, fan.zh), h('span', { class: 'worth' }, value)),
    fan.unreachable
      ? h('p', {}, t('rules.fans.never', { why: t(`fan.never.${fan.id}`) }))
      : h('p', {}, t(`fan.${fan.id}`)),
    excluded && !fan.unreachable && h('p', { class: 'excludes' }, t('rules.fans.excludes', { fans: excluded })),
    fan.example && drawExample(fan.example),
    fan.example &&
      h(
        'button',
        { type: 'button', class: 'button framed try', 'data-key': `try-${fan.id}`, onclick: () => intents.show(fan.example) },
        t('rules.fans.try'),
      ),
  );
}

/** @param {any} book @param {RulesIntents} intents */
function drawFans(book, intents) {
  const names = new Map(book.fans.map((/** @type {any} */ fan) => [fan.id, fan.zh]));
  const values = [...new Set(book.fans.map((/** @type {any} */ fan) => fan.value))].sort((a, b) => b - a);
  return values.map((value) =>
    h(
      'section',
      { class: 'panel fan-group' },
      h('h2', {}, t('rules.fans.value', { n: value })),
      h(
        'ul',
        {},
        book.fans
          .filter((/** @type {any} */ fan) => fan.value === value)
          .map((/** @type {any} */ fan) => drawFan(fan, names, intents)),
      ),
    ),
  );
}

/** @param {Pick<RulesState, 'book'|'failed'>} slice @param {RulesIntents} intents */
function drawBook({ book, failed: isFailed }, intents) {
  if (!book) return isFailed ? failed(intents.load) : loading();
  return [
    h('div', { class: 'side-by-side' }, drawFacts(book), drawMoney(book)),
    drawRanks(book),
    drawFans(book, intents),
  ];
}

/** @param {Pick<RulesState, 'sets'|'ruleset'>} slice @param {RulesIntents} intents */
function drawChoices({ sets, ruleset }, intents) {
  if (!sets) return null;
  const names = new Map(sets.map((set) => [set.id, set]));
  const chosen = names.get(ruleset);
  const flowers = t(chosen?.flowers ? 'bar.flowers' : 'bar.no_flowers');
  return [
    segments('ruleset', t('rules.sets'), [...names.keys()], ruleset, (id) => names.get(id)?.zh ?? id, intents.choose),
    h('p', { class: 'since' }, t('rules.lead', { tiles: chosen?.tiles ?? 0, flowers })),
  ];
}

/** @param {HTMLElement} body @param {RulesIntents} intents */
export function mountRules(body, intents) {
  const hosts = { choices: h('div', {}), book: h('div', { class: 'book' }), calculator: h('section', { class: 'panel calculator' }) };
  const main = h('main', { class: 'column-page' }, h('h1', {}, t('nav.rules')), hosts.choices, hosts.book);
  body.append(framed('rules', 'rules-page', h('div', { class: 'rules-columns' }, main, hosts.calculator)));
  const updates = [
    region(
      hosts.choices,
      (/** @type {RulesState} */ { sets, ruleset }) => ({ sets, ruleset }),
      (slice) => drawChoices(slice, intents),
    ),
    region(
      hosts.book,
      (/** @type {RulesState} */ { book, failed: isFailed }) => ({ book, failed: isFailed }),
      (slice) => drawBook(slice, intents),
    ),
    mountCalculator(hosts.calculator, intents),
  ];
  return (/** @type {RulesState} */ state) => updates.forEach((update) => update(state));
}
