// @ts-check
import { tileNames } from '../tiles.js';
import { t } from '../i18n.js';
import { h, region } from './dom.js';
import { backView, tileView } from './tile.js';
import { handOf, ownSeat, theirSeat } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../protocol.js').Meld} Meld
 */

/** @param {Meld} meld */
function meldLabel({ type, tiles }) {
  return tiles ? t(`meld.${type}`, { tiles: tileNames(tiles) }) : t('meld.hidden');
}

/** A kong takes three cells; its fourth tile lies on the middle one. @param {Meld} meld */
function kongTiles({ type, tiles }) {
  if (!tiles) return [backView(), backView(), backView(), backView('stacked')];
  if (type === 'concealed_kong') {
    return [backView(), tileView(tiles[1]), backView(), tileView(tiles[3], 'stacked')];
  }
  return tiles.map((tile, i) => tileView(tile, i === 3 ? 'stacked' : ''));
}

/** @param {Meld} meld @param {string} [mark] class of the tile that can be robbed */
export function meldView(meld, mark = '') {
  const isKong = meld.type.endsWith('kong');
  const tiles = isKong ? kongTiles(meld) : (meld.tiles ?? []).map((tile) => tileView(tile));
  if (mark) tiles.at(-1)?.classList.add(mark);
  return h('div', { class: 'meld', role: 'group', 'aria-label': meldLabel(meld) }, tiles);
}

/** @param {State} state @param {number} seat */
function meldsSlice(state, seat) {
  const { last = null } = state.view?.round ?? {};
  const robbable = state.ask?.q === 'claim' && last?.kind === 'kong' && last.seat === seat;
  return { melds: handOf(state, seat)?.melds ?? [], robbed: robbable ? last.tile : null };
}

/** @param {ReturnType<typeof meldsSlice>} slice */
const drawMelds = ({ melds, robbed }) =>
  melds.map((meld) =>
    meldView(meld, meld.type === 'added_kong' && meld.tiles?.[0] === robbed ? 'claimable' : ''),
  );

/** @param {readonly string[]} flowers */
export const flowersView = (flowers) =>
  flowers.length > 0 && [
    h('span', { class: 'label' }, t('flowers')),
    h(
      'div',
      { class: 'tiles' },
      flowers.map((tile) => tileView(tile)),
    ),
  ];

/** @param {{ownMelds: Element, theirMelds: Element, ownFlowers: Element, theirFlowers: Element}} hosts */
export function mountMelds(hosts) {
  /** @param {(state: State) => number} seatOf */
  const meldsOf = (seatOf) => (/** @type {State} */ state) => meldsSlice(state, seatOf(state));
  /** @param {(state: State) => number} seatOf */
  const flowersOf = (seatOf) => (/** @type {State} */ state) => handOf(state, seatOf(state))?.flowers ?? [];
  const drawn = [
    region(hosts.ownMelds, meldsOf(ownSeat), drawMelds),
    region(hosts.theirMelds, meldsOf(theirSeat), drawMelds),
    region(hosts.ownFlowers, flowersOf(ownSeat), flowersView),
    region(hosts.theirFlowers, flowersOf(theirSeat), flowersView),
  ];
  return (/** @type {State} */ state) => drawn.forEach((draw) => draw(state));
}
