// @ts-check
/** The card that says what a discard would wait for, and after it what the hand waits for. */
import { tileName } from '../tiles.js';
import { t } from '../i18n.js';
import { h, region } from './dom.js';
import { handOf, ownSeat } from './seats.js';
import { standingTiles } from './hand.js';
import { tileView } from './tile.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../protocol.js').Wait} Wait
 */

/** The hint of the selected tile, else the first. @param {State} state */
function chosenHint(state) {
  const hints = state.ask?.hints ?? [];
  const selected = standingTiles(state)[state.ui.selected];
  return hints.find((hint) => hint.discard === selected) ?? hints[0] ?? null;
}

/** @param {State} state */
function hintSlice(state) {
  const hint = chosenHint(state);
  if (hint) return { discard: hint.discard, waits: hint.waits, declared: false };
  const isOver = state.view?.round?.phase === 'ended';
  if (!state.waits || isOver || state.ask?.q === 'turn') return null;
  const declared = Boolean(handOf(state, ownSeat(state))?.ready);
  return { discard: null, waits: state.waits, declared };
}

/** @param {Wait} wait */
function fanOf({ by_discard: byDiscard, self_drawn: selfDrawn }) {
  const [least, most] = [Math.min(byDiscard, selfDrawn), Math.max(byDiscard, selfDrawn)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** @param {Wait} wait @param {boolean} counted */
const drawWait = (wait, counted) =>
  h(
    'li',
    { class: 'wait' },
    tileView(wait.wait),
    h(
      'span',
      { class: 'unseen' },
      counted && [t('hint.unseen.before'), ' ', h('b', {}, String(wait.unseen)), ' ', t('hint.unseen.after')],
    ),
    h('span', { class: 'fan' }, fanOf(wait), h('small', {}, t('hint.fan'))),
  );

/** @param {ReturnType<typeof hintSlice>} slice */
function drawHint(slice) {
  if (!slice) return null;
  const { discard, waits, declared } = slice;
  const about = discard
    ? t('hint.discard', { tile: tileName(discard) })
    : t(declared ? 'hint.declared' : 'hint.waiting');
  return h(
    'div',
    { class: waits.length > 4 ? 'hint-card many' : 'hint-card' },
    h(
      'h2',
      {},
      h('span', { class: 'long' }, t('hint.title')),
      h('span', { class: 'short' }, t('hint.short')),
      h('small', {}, about),
    ),
    h(
      'ul',
      {},
      waits.map((wait) => drawWait(wait, discard !== null)),
    ),
  );
}

/** @param {Element} host */
export const mountHints = (host) => region(host, hintSlice, drawHint);
