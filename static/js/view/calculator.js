// @ts-check
/** The calculator: put a hand together, see its fans. */
import { FLAGS, MODES, OPENINGS, WINDS, canAdd } from '../calculator.js';
import { t } from '../i18n.js';
import { tileName } from '../tiles.js';
import { h, region } from './dom.js';
import { meldView } from './melds.js';
import { segments } from './segments.js';
import { tileButton } from './tile.js';

/**
 * @typedef {import('../rules.js').RulesState} RulesState
 * @typedef {import('../rules.js').RulesIntents} RulesIntents
 * @typedef {import('../calculator.js').Draft} Draft
 */

const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const PALETTE = [...RANKS.map((rank) => `${rank}m`), ...RANKS.slice(0, 7).map((rank) => `${rank}z`)];
const FLOWERS = RANKS.slice(0, 8).map((rank) => `${rank}f`);

/** @param {string} tile @param {string} key @param {() => void} remove */
const placed = (tile, key, remove) =>
  tileButton(tile, { 'data-key': key, 'aria-label': t('calc.remove', { tile: tileName(tile) }), onclick: remove });

/** @param {Draft} draft @param {RulesIntents} intents */
function drawPlaced(draft, intents) {
  const { hand, melds, win, flowers } = draft;
  return [
    h('h3', {}, t('calc.hand', { n: hand.length })),
    h('div', { class: 'tiles', 'data-testid': 'calc-hand' }, hand.map((tile, i) => placed(tile, `hand-${i}`, () => intents.remove('hand', tile)))),
    win && [h('h3', {}, t('calc.win')), h('div', { class: 'tiles' }, placed(win, 'win', () => intents.remove('win', win)))],
    melds.length > 0 && h('h3', {}, t('calc.melds')),
    melds.map(({ type, tiles }, i) =>
      h(
        'button',
        {
          type: 'button',
          class: 'set-down',
          'data-key': `meld-${i}`,
          'aria-label': t('calc.remove', { tile: t(`calc.mode.${type}`) }),
          onclick: () => intents.removeMeld(i),
        },
        meldView({ type, tiles, claimed: null }),
      ),
    ),
    flowers.length > 0 && h('h3', {}, t('calc.mode.flowers')),
    h('div', { class: 'tiles' }, flowers.map((tile) => placed(tile, `flower-${tile}`, () => intents.remove('flowers', tile)))),
  ];
}

/** @param {Draft} draft @param {boolean} hasFlowers @param {RulesIntents} intents */
function drawPalette(draft, hasFlowers, intents) {
  const modes = hasFlowers ? MODES : MODES.filter((mode) => mode !== 'flowers');
  return [
    segments('mode', t('calc.mode'), modes, draft.mode, (mode) => t(`calc.mode.${mode}`), (mode) => intents.set({ mode })),
    h(
      'div',
      { class: 'tiles palette' },
      (draft.mode === 'flowers' ? FLOWERS : PALETTE).map((tile) =>
        tileButton(tile, {
          'data-key': `add-${tile}`,
          'data-add': tile,
          disabled: !canAdd(draft, tile),
          'aria-label': t('calc.add', { tile: tileName(tile) }),
          onclick: () => intents.add(tile),
        }),
      ),
    ),
  ];
}

/**
 * @param {string} name
 * @param {string} value
 * @param {readonly string[]} options
 * @param {(option: string) => string} textOf
 * @param {(value: string) => void} change
 */
const choice = (name, value, options, textOf, change) =>
  h(
    'label',
    {},
    t(`calc.${name}`),
    h(
      'select',
      {
        'data-key': name,
        onchange: (/** @type {Event} */ event) => change(/** @type {HTMLSelectElement} */ (event.target).value),
      },
      options.map((option) => h('option', { value: option, selected: option === value }, textOf(option))),
    ),
  );

/** @param {Draft} draft @param {RulesIntents} intents */
function drawCircumstances({ flags, seat, prevalent, opening }, intents) {
  const boxes = FLAGS.map((flag) =>
    h(
      'label',
      {},
      h('input', {
        type: 'checkbox',
        checked: flags[flag] ?? false,
        'data-key': flag,
        onchange: (/** @type {Event} */ event) =>
          intents.set({ flags: { ...flags, [flag]: /** @type {HTMLInputElement} */ (event.target).checked } }),
      }),
      t(`calc.${flag}`),
    ),
  );
  return h(
    'div',
    { class: 'circumstances' },
    boxes,
    choice('seat_wind', seat, WINDS, tileName, (wind) => intents.set({ seat: wind })),
    choice('prevalent_wind', prevalent, WINDS, tileName, (wind) => intents.set({ prevalent: wind })),
    choice('opening', opening, OPENINGS, (name) => t(`calc.opening.${name}`), (name) => intents.set({ opening: name })),
  );
}

/** @param {Pick<RulesState, 'score'|'problem'>} slice */
function drawScore({ score, problem }) {
  if (problem) return h('p', { class: 'problem', role: 'status' }, problem);
  if (!score) return h('p', { class: 'empty', role: 'status' }, t('calc.waiting'));
  return [
    h('p', { class: 'total', role: 'status', 'data-testid': 'calc-total', 'data-total': score.total }, t('calc.total', { n: score.total })),
    h(
      'ul',
      {},
      score.fans.map(({ zh, value, count }) =>
        h(
          'li',
          { class: 'fact' },
          h('span', {}, zh, count > 1 && ` ${t('calc.times', { n: count })}`),
          h('b', {}, t('rules.fans.value', { n: value * count })),
        ),
      ),
    ),
  ];
}

/** @param {Element} host @param {RulesIntents} intents */
export function mountCalculator(host, intents) {
  const hosts = { palette: h('div', {}), placed: h('div', { class: 'placed' }), score: h('div', { class: 'scored' }), rest: h('div', {}) };
  const clear = h('button', { type: 'button', class: 'button framed', 'data-act': 'clear', onclick: intents.clear }, t('calc.clear'));
  host.append(h('h2', {}, t('calc.title'), clear), h('p', {}, t('calc.lead')), hosts.palette, hosts.placed, hosts.score, hosts.rest);
  const updates = [
    region(
      hosts.palette,
      (/** @type {RulesState} */ { draft, book }) => ({ draft, hasFlowers: book?.flowers ?? false }),
      ({ draft, hasFlowers }) => drawPalette(draft, hasFlowers, intents),
    ),
    region(hosts.placed, (/** @type {RulesState} */ { draft }) => draft, (draft) => drawPlaced(draft, intents)),
    region(hosts.score, (/** @type {RulesState} */ { score, problem }) => ({ score, problem }), drawScore),
    region(hosts.rest, (/** @type {RulesState} */ { draft }) => draft, (draft) => drawCircumstances(draft, intents)),
  ];
  return (/** @type {RulesState} */ state) => updates.forEach((update) => update(state));
}
