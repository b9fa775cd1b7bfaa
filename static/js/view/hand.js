// @ts-check
/** One's own hand: a toolbar of tiles, and the opponent's, mostly backs. */
import { settings } from '../settings.js';
import { canAnswer, isWaiting } from '../state.js';
import { tileName } from '../tiles.js';
import { t } from '../i18n.js';
import { cls, h, region } from './dom.js';
import { backView, tileButton, tileView } from './tile.js';
import { handOf, isWatching, nameOf, ownSeat, revealedTiles, theirSeat } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../protocol.js').Option} Option
 * @typedef {import('../intents.js').Intents} Intents
 */

const DRAG_PX = 40;

/** The options a tap on a tile can mean just now, by tile. @param {State} state */
export function tileOptions(state) {
  const kind = state.ui.readyMode ? 'discard_ready' : 'discard';
  /** @type {Record<string, Option>} */
  const byTile = {};
  for (const option of state.ask?.opts ?? []) {
    if (option.kind === kind && option.tile) byTile[option.tile] = option;
  }
  return byTile;
}

/** Tiles of the own hand in the order they stand. @param {State} state */
export function standingTiles(state) {
  const hand = handOf(state, ownSeat(state));
  if (!hand?.tiles) return [];
  return hand.drawn && hand.drawn !== '?' ? [...hand.tiles, hand.drawn] : hand.tiles;
}

/** The claim whose tiles are marked in the hand: the chosen chow, else pung, else kong. @param {State} state */
function markedClaim(state) {
  if (state.ask?.q !== 'claim') return null;
  const { opts } = state.ask;
  const picked = opts.find((o) => o.kind === 'chow' && o.o === state.ui.picks.chow);
  return (
    picked ??
    opts.find((o) => o.kind === 'chow') ??
    opts.find((o) => o.kind === 'pung') ??
    opts.find((o) => o.kind === 'kong') ??
    null
  );
}

/** @param {State} state @param {string[]} standing @returns {number[]} indices of the tiles a claim uses */
function usedIndices(state, standing) {
  const option = markedClaim(state);
  if (!option?.tile) return [];
  const copies = option.kind === 'kong' ? 3 : 2;
  const tiles = option.tiles ?? Array(copies + 1).fill(option.tile);
  const needed = [...tiles];
  needed.splice(needed.indexOf(option.tile), 1);
  const free = new Set(standing.keys());
  return needed.flatMap((tile) => {
    const index = standing.findIndex((other, i) => other === tile && free.has(i));
    free.delete(index);
    return index < 0 ? [] : [index];
  });
}

/** @param {State} state */
function ownSlice(state) {
  const seat = ownSeat(state);
  const hand = handOf(state, seat);
  const standing = standingTiles(state);
  const options = tileOptions(state);
  return {
    watched: isWatching(state),
    count: hand?.count ?? 0,
    hidden: hand !== null && !hand.tiles ? (revealedTiles(state, seat) ?? true) : false,
    standing,
    hiddenDrawn: hand?.drawn === '?',
    drawnAt: hand?.drawn && hand.tiles ? hand.tiles.length : -1,
    options: Object.fromEntries(Object.entries(options).map(([tile, option]) => [tile, option.o])),
    hinted: (state.ask?.hints ?? []).map((hint) => hint.discard),
    readyMode: state.ui.readyMode,
    used: usedIndices(state, standing),
    enabled: canAnswer(state) && !state.view?.seats[seat]?.auto,
    locked: isLocked(state, seat),
    waiting: isWaiting(state),
  };
}

/** Nothing in the hand can be moved by the player, for a reason he should see. @param {State} state @param {number} seat */
function isLocked(state, seat) {
  if (isWatching(state) || state.view?.round?.phase === 'ended') return false;
  const hand = handOf(state, seat);
  const isOff = state.conn.status === 'lost' || state.conn.status === 'ended';
  return isOff || Boolean(state.view?.seats[seat]?.auto) || Boolean(hand?.ready);
}

/** @param {ReturnType<typeof ownSlice>} slice @param {string} tile @param {number} index @param {Intents} intents */
function handTile(slice, tile, index, intents) {
  const o = slice.options[tile];
  const isReady = o !== undefined && (slice.readyMode || slice.hinted.includes(tile));
  const isDrawn = index === slice.drawnAt;
  const label = t(isDrawn ? 'hand.tile.drawn' : 'hand.tile', { tile: tileName(tile), n: String(index + 1) });
  const button = tileButton(tile, {
    class: cls(
      isDrawn && 'drawn',
      isReady && 'makes-ready',
      slice.used.includes(index) && 'used',
      slice.readyMode && o === undefined && 'barred',
    ),
    'aria-label': isReady ? t('hand.tile.ready', { label }) : label,
    'data-o': o,
    'data-key': `hand-${index}`,
    'data-index': index,
    disabled: !(slice.enabled && o !== undefined),
    tabindex: -1,
  });
  listen(button, index, intents);
  return button;
}

/** Hover and tap select, a click or a second tap discards, so does a drag upwards. @param {HTMLElement} button @param {number} index @param {Intents} intents */
function listen(button, index, intents) {
  let pointer = '';
  let startY = 0;
  button.addEventListener('pointerenter', (event) => {
    if (event.pointerType === 'mouse') intents.select(index);
  });
  button.addEventListener('focus', () => button.matches(':focus-visible') && intents.select(index));
  button.addEventListener('pointerdown', (event) => {
    pointer = event.pointerType;
    startY = event.clientY;
    if (pointer !== 'mouse') button.setPointerCapture(event.pointerId);
  });
  button.addEventListener('pointerup', (event) => {
    if (pointer !== 'mouse' && startY - event.clientY > DRAG_PX) {
      event.preventDefault();
      pointer = 'dragged';
      intents.playTile(index);
    }
  });
  button.addEventListener('click', (event) => {
    const byKey = event.detail === 0;
    if (pointer === 'dragged') pointer = '';
    else if (byKey || pointer === 'mouse' || pointer === '' || settings().oneTap) intents.playTile(index);
    else intents.tapTile(index);
  });
}

/** A tile of an opened hand, for who only looks on. @param {ReturnType<typeof ownSlice>} slice @param {string} tile @param {number} index */
const watchedTile = (slice, tile, index) => tileView(tile, cls('stand', index === slice.drawnAt && 'drawn'));

/** @param {ReturnType<typeof ownSlice>} slice @param {Intents} intents */
function drawOwn(slice, intents) {
  if (Array.isArray(slice.hidden)) {
    return slice.hidden.map((/** @type {string} */ tile) => tileView(tile, 'stand'));
  }
  if (slice.hidden)
    return Array.from({ length: slice.count }, (_, i) =>
      backView(cls(slice.hiddenDrawn && i === slice.count - 1 && 'drawn')),
    );
  if (slice.watched) return slice.standing.map((tile, index) => watchedTile(slice, tile, index));
  return slice.standing.map((tile, index) => handTile(slice, tile, index, intents));
}

/** @param {HTMLElement} host @param {number} selected */
function paintSelection(host, selected) {
  for (const [index, tile] of [...host.children].entries()) {
    if (!(tile instanceof HTMLButtonElement)) continue;
    const isSelected = index === selected && !tile.disabled;
    tile.classList.toggle('selected', isSelected);
    tile.tabIndex = index === Math.max(selected, 0) ? 0 : -1;
  }
}

/** @param {HTMLElement} host @param {Intents} intents */
export function mountOwnHand(host, intents) {
  const draw = region(host, ownSlice, (slice) => drawOwn(slice, intents));
  return (/** @type {State} */ state) => {
    draw(state);
    host.setAttribute('aria-label', isWatching(state) ? handLabel(state, ownSeat(state)) : t('hand.own'));
    host.classList.toggle('locked', isLocked(state, ownSeat(state)));
    paintSelection(host, state.ui.selected);
  };
}

/** @param {State} state @param {number} seat */
const handLabel = (state, seat) =>
  t('hand.theirs', { name: nameOf(state, seat), n: handOf(state, seat)?.count ?? 0 });

/** @param {State} state */
function theirSlice(state) {
  const seat = theirSeat(state);
  const hand = handOf(state, seat);
  const shown = revealedTiles(state, seat) ?? hand?.tiles ?? null;
  const drawn = hand?.drawn ?? null;
  return {
    count: hand?.count ?? 0,
    shown: shown && shown.length > 0 ? shown : null,
    drawn,
    label: handLabel(state, seat),
    flowers: hand?.flowers.length ?? 0,
  };
}

/** @param {ReturnType<typeof theirSlice>} slice */
function drawTheirs({ count, shown, drawn, label, flowers }) {
  if (count === 0) return null;
  const short = flowers ? t('hand.count.flowers', { n: count, f: flowers }) : t('hand.count', { n: count });
  const standing = shown
    ? shown.map((/** @type {string} */ tile) => tileView(tile))
    : Array.from({ length: drawn ? count - 1 : count }, () => backView());
  const last = drawn && (drawn === '?' || !shown ? backView('drawn') : tileView(drawn, 'drawn'));
  const isDrawnShown = shown !== null && shown.length >= count;
  return [
    h(
      'div',
      { class: cls('backs', shown && 'open'), role: 'group', 'aria-label': label },
      standing,
      !isDrawnShown && last,
    ),
    h('span', { class: 'count-only' }, short),
  ];
}

/** @param {Element} host */
export const mountTheirHand = (host) => region(host, theirSlice, drawTheirs);
