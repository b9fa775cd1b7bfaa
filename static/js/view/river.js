// @ts-check
import { tileName } from '../tiles.js';
import { t } from '../i18n.js';
import { cls, h, region } from './dom.js';
import { tileView } from './tile.js';
import { handOf, nameOf, ownSeat, theirSeat } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../protocol.js').DiscardedTile} DiscardedTile
 */

/**
 * Whose tile was laid last: the one that can be claimed, else the opponent of who holds the turn.
 * @param {State} state
 */
function lastDiscarder(state) {
  const { round = null } = state.view ?? {};
  if (!round) return null;
  if (round.phase === 'ended') return round.result?.won?.from ?? null;
  if (round.last) return round.last.kind === 'discard' ? round.last.seat : null;
  return round.turn === null ? null : 1 - round.turn;
}

/** @param {State} state @param {number} seat */
function riverSlice(state, seat) {
  const discards = handOf(state, seat)?.discards ?? [];
  const isLast = lastDiscarder(state) === seat && discards.at(-1)?.claimed === false;
  const last = state.view?.round?.last;
  const claimable = isLast && state.ask?.q === 'claim' && last?.kind === 'discard';
  return {
    label: seat === state.view?.you ? t('river.own') : t('river.theirs', { name: nameOf(state, seat) }),
    lying: discards.filter((item) => !item.claimed),
    mark: claimable ? 'claimable' : isLast ? 'last' : '',
  };
}

/** @param {DiscardedTile} item @param {string} mark */
function riverTile(item, mark) {
  const name = tileName(item.tile);
  const label = item.ready ? t('river.ready', { tile: name }) : name;
  return h('li', {}, tileView(item.tile, cls(item.ready && 'readied', mark), label));
}

/** @param {ReturnType<typeof riverSlice>} slice */
const drawRiver = ({ label, lying, mark }) =>
  h(
    'ol',
    { 'aria-label': label },
    lying.map((item, i) => riverTile(item, i === lying.length - 1 ? mark : '')),
  );

/** @param {Element} own @param {Element} theirs */
export function mountRivers(own, theirs) {
  const drawOwn = region(own, (/** @type {State} */ state) => riverSlice(state, ownSeat(state)), drawRiver);
  const drawTheirs = region(
    theirs,
    (/** @type {State} */ state) => riverSlice(state, theirSeat(state)),
    drawRiver,
  );
  return (/** @type {State} */ state) => {
    drawOwn(state);
    drawTheirs(state);
  };
}
