// @ts-check
/** A table as its watchers see it, as far as it lies open. */
import { formatNumber, t } from '../i18n.js';
import { h } from '../view/dom.js';
import { openModal } from '../view/modal.js';
import { backView, tileView } from '../view/tile.js';
import * as house from './house.js';

/** @param {any[]} tiles */
const tileRow = (tiles) => h('div', { class: 'tile-row' }, tiles);

/** @param {any} hand */
const meldTiles = (hand) =>
  hand.melds.flatMap((/** @type {any} */ meld) => (meld.tiles ? meld.tiles.map((/** @type {string} */ tile) => tileView(tile)) : [1, 2, 3, 4].map(() => backView())));

/** @param {any} sitting @param {any} hand */
const side = (sitting, hand) =>
  h(
    'section',
    { class: 'op-side' },
    h('h3', {}, sitting ? `${sitting.user.name} · ${formatNumber(sitting.coins)}` : t('op.room.free')),
    h('p', {}, t('op.room.hand', { n: hand.count })),
    hand.tiles && tileRow(hand.tiles.map((/** @type {string} */ tile) => tileView(tile))),
    hand.melds.length > 0 && [h('p', {}, t('op.room.melds')), tileRow(meldTiles(hand))],
    h('p', {}, t('op.room.discards')),
    tileRow(hand.discards.map((/** @type {any} */ { tile }) => tileView(tile))),
  );

/** @param {any} room */
function content({ view }) {
  if (!view.round) return [h('p', {}, t('op.room.look.none'))];
  const over = view.round.phase === 'ended';
  return [
    h('p', {}, t('op.room.round', { n: view.round.number })),
    ...[0, 1].map((seat) => side(view.seats[seat], view.round.hands[seat])),
    ...(over ? [h('a', { href: `/replay/${encodeURIComponent(view.round.id)}` }, t('op.room.record'))] : []),
  ];
}

/** @param {string} roomId */
export async function look(roomId) {
  const room = await house.fetchRoom(roomId);
  openModal('look', t('op.room.look.title', { tier: room.tier_name }), ...content(room));
}
