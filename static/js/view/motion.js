// @ts-check
/** Short movements for what just happened. They never hold anything up: the page is already drawn. */
import { ownSeat } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../protocol.js').RoomEvent} RoomEvent
 */

const LITTLE = matchMedia('(prefers-reduced-motion: reduce)');
const EASE = 'cubic-bezier(.2,.8,.3,1)';

/** @type {Record<string, {ms: number, to: (mine: boolean) => string, from: (mine: boolean) => string}>} */
const MOVES = {
  drawn: {
    ms: 160,
    to: (mine) => (mine ? '.own-hand .drawn' : '.their-hand .backs > :last-child'),
    from: (mine) => (mine ? 'translateY(-24px)' : 'translateY(18px)'),
  },
  discarded: {
    ms: 200,
    to: (mine) => (mine ? '.river.own li:last-child' : '.river.theirs li:last-child'),
    from: (mine) => (mine ? 'translateY(90px) scale(1.3)' : 'translateY(-70px)'),
  },
  chow: claimMove(),
  pung: claimMove(),
  kong: claimMove(),
  flower: {
    ms: 240,
    to: (mine) => (mine ? '.own-flowers .tile:last-child' : '.their-flowers .tile:last-child'),
    from: (mine) => (mine ? 'translateY(30px)' : 'translateY(-20px)'),
  },
};

function claimMove() {
  return {
    ms: 260,
    to: (/** @type {boolean} */ mine) =>
      mine ? '.own-melds .meld:last-child' : '.their-hand .meld:last-child',
    from: (/** @type {boolean} */ mine) => (mine ? 'translateY(-60px)' : 'translateY(60px)'),
  };
}

/** @param {string} selector @param {Keyframe} from @param {number} ms */
function play(selector, from, ms) {
  const element = document.querySelector(selector);
  if (!element) return;
  if (LITTLE.matches) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 80 });
  else element.animate([from, { transform: 'none', opacity: 1 }], { duration: ms, easing: EASE });
}

/** @param {State} state the state after it @param {RoomEvent} event */
export function animateEvent(state, event) {
  const move = MOVES[event.k];
  const mine = event.d?.seat === ownSeat(state);
  if (move) play(move.to(mine), { transform: move.from(mine), opacity: 0.2 }, move.ms);
  if (event.k === 'settled') {
    play('.settlement', { transform: 'translateY(24px)', opacity: 0 }, 220);
    play('.settlement .seal', { transform: 'rotate(-4deg) scale(1.3)', opacity: 0 }, 420);
  }
}
