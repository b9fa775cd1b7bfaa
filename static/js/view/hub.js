// @ts-check
/** The strip between the rivers: wall and dealer, clock and words, stake and multiplier. */
import { tileName } from '../tiles.js';
import { formatNumber, t } from '../i18n.js';
import { goesOn } from '../state.js';
import { cls, h, region, svg } from './dom.js';
import { isWatching, nameOf, ownSeat, playerOf } from './seats.js';

/** @typedef {import('../state.js').State} State */

const RADIUS = 28;
export const RING_LENGTH = Math.round(2 * Math.PI * RADIUS);

/** @param {string} key @param {Record<string, any>} [params] */
const words = (key, params) => ({ title: t(key), small: t(`${key}.small`, params) });

/** What the tile on offer is. @param {State} state */
function lastWords(state) {
  const last = state.view?.round?.last;
  if (!last) return '';
  const key = last.kind === 'kong' ? 'say.kong' : 'say.discarded';
  return t(key, { name: nameOf(state, last.seat), tile: tileName(last.tile) });
}

/** @param {State} state */
function askWords(state) {
  const { ask, view } = state;
  switch (ask?.q) {
    case 'claim':
      return { title: t('hub.claim'), small: lastWords(state) };
    case 'turn': {
      if (state.ui.readyMode) return words('hub.ready_mode');
      const isReady = Boolean(view?.round?.hands[ask.seat].ready);
      return { title: t('hub.turn'), small: t(isReady ? 'hub.turn.ready' : 'hub.turn.small') };
    }
    case 'confirm':
      return {
        title: t(goesOn(state) ? 'hub.confirm.again' : 'hub.confirm'),
        small: t('hub.confirm.small', { base: ask.base ?? view?.room.base ?? 0 }),
      };
    default:
      return { title: t(`hub.${ask?.q}`), small: t('hub.offer.small') };
  }
}

/** Whose a seat is for the reader: his own, his opponent's, or for a watcher one of the two. @param {State} state @param {number} seat */
function sideOf(state, seat) {
  if (isWatching(state)) return seat === ownSeat(state) ? 'below' : 'above';
  return seat === ownSeat(state) ? 'own' : 'theirs';
}

/** @param {State} state */
function endWords(state) {
  const result = state.view?.round?.result ?? {};
  if (result.won) {
    const name = nameOf(state, result.won.seat);
    return {
      title: t(`hub.won.${sideOf(state, result.won.seat)}`),
      small: t('say.won', { name, n: result.won.total }),
    };
  }
  if (result.forfeited) {
    const { seat } = result.forfeited;
    return {
      title: t(`hub.left.${sideOf(state, seat)}`),
      small: t('say.forfeited', { name: nameOf(state, seat) }),
    };
  }
  return { title: t(result.voided ? 'hub.ended.void' : 'hub.ended.draw'), small: '' };
}

/** The own seat is next, and nothing is asked: an answer is under way or the server moves. @param {State} state */
function waitingForOwnMove(state) {
  const isReady = Boolean(state.view?.round?.hands[ownSeat(state)].ready);
  return { title: t('hub.turn'), small: isReady ? t('hub.turn.ready') : lastWords(state) };
}

/** A watcher is told what goes on; whose turn it is the arrow shows as well. @param {State} state */
function watchWords(state) {
  const { room = null, round = null } = state.view ?? {};
  if (round?.result && room?.phase !== 'waiting') return endWords(state);
  if (room?.phase !== 'playing' || !round) return words('hub.watch.waiting');
  if (round.offer) return { title: t(`ask.${round.offer}`), small: t('hub.watch.offer.small') };
  if (!round.dice || round.turn === null) return { title: t('hub.deal'), small: '' };
  const small = lastWords(state) || t('hub.watch.turn.small', { name: nameOf(state, round.turn) });
  return { title: t(`hub.turn.${sideOf(state, round.turn)}`), small };
}

/** @param {State} state */
function idleWords(state) {
  const { room = null, round = null } = state.view ?? {};
  if (!room || state.conn.status !== 'open') {
    return words('hub.offline');
  }
  if (isWatching(state)) return watchWords(state);
  if (room.phase === 'playing' && round) {
    if (round.phase === 'ended') return endWords(state);
    if (round.offer) return words('hub.offer.answered');
    if (!round.dice) return { title: t('hub.deal'), small: '' };
    if (round.turn === ownSeat(state)) return waitingForOwnMove(state);
    return { title: t('hub.theirs'), small: lastWords(state) || t('hub.theirs.small') };
  }
  if (state.confirmedUntil !== null) return words('hub.wait.confirm');
  if (round?.result && room.phase !== 'waiting') return endWords(state);
  return words(room.private ? 'hub.waiting' : 'hub.waiting.public');
}

/** Where the arrow points. @param {State} state */
function pointsAt(state) {
  const { round = null, room = null } = state.view ?? {};
  if (state.ask && state.ask.q !== 'confirm') return 'mine';
  if (room?.phase !== 'playing' || !round || round.phase === 'ended' || round.offer) return 'nobody';
  return round.turn === ownSeat(state) ? 'mine' : 'theirs';
}

/** @param {State} state */
function hubSlice(state) {
  const { room = null, round = null } = state.view ?? {};
  const playing = round !== null && (room?.phase === 'playing' || round.result !== null);
  const online = state.conn.status === 'open';
  return {
    wall: playing && round.dice ? round.wall : null,
    dealer: playing && playerOf(state, round.dealer) ? sideOf(state, round.dealer) : null,
    base: (playing ? round.base : room?.base) ?? null,
    multiplier: playing ? (round.result?.settled?.multiplier ?? round.multiplier) : 1,
    words: online && state.ask ? askWords(state) : idleWords(state),
    points: pointsAt(state),
    timed: online && state.ask !== null,
  };
}

/** @param {string} label @param {string} value @param {string} [extra] */
const stat = (label, value, extra = '') =>
  h('div', { class: `stat ${extra}` }, h('span', {}, label), h('b', {}, value));

/** @param {boolean} timed */
const ring = (timed) =>
  h(
    'div',
    { class: cls('ring', !timed && 'idle'), 'data-tick': timed ? 'clock' : null },
    svg(`<svg viewBox="0 0 66 66" aria-hidden="true">
      <circle class="track" cx="33" cy="33" r="${RADIUS}"/>
      <circle class="left" cx="33" cy="33" r="${RADIUS}" stroke-dasharray="${RING_LENGTH}"/>
    </svg>`),
    h('b', { class: 'seconds' }, '…'),
    h('small', { class: 'reserve', hidden: true }, t('hub.reserve')),
  );

/** @param {ReturnType<typeof hubSlice>} slice */
function drawHub({ wall, dealer, base, multiplier, words: { title, small }, points, timed }) {
  const dealerName = dealer === null ? '–' : t(`hub.side.${dealer}`);
  return h(
    'div',
    { class: `hub ${points}` },
    h(
      'div',
      { class: 'stats' },
      stat(t('hub.wall'), wall === null ? '–' : String(wall)),
      stat(t('hub.dealer'), dealerName, 'kai'),
    ),
    h('div', { class: 'now' }, ring(timed), h('div', { class: 'words' }, title, h('small', {}, small))),
    h(
      'div',
      { class: 'stats end' },
      stat(t('hub.base'), base === null ? '–' : formatNumber(base)),
      stat(t('hub.multiplier'), t('hub.times', { n: multiplier }), 'gold'),
    ),
  );
}

/** @param {Element} host */
export const mountHub = (host) => region(host, hubSlice, drawHub);
