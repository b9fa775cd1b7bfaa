// @ts-check
/** Which sounds a change of the table makes. */
import { isCatchingUp } from './state.js';
import { isWatching, ownSeat } from './view/seats.js';

/** @typedef {import('./state.js').State} State */

/** @type {Record<string, string>} */
const OF_EVENT = {
  drawn: 'draw',
  discarded: 'discard',
  chow: 'claim',
  pung: 'claim',
  kong: 'claim',
  flower: 'flower',
  ready_declared: 'ready',
  exhausted: 'exhausted',
};

/** @param {State} state @returns {string[]} */
function eventSounds(state) {
  const { last } = state;
  if (!last || isCatchingUp(state)) return [];
  if (last.k === 'won') return [isWatching(state) || last.d.seat === ownSeat(state) ? 'win' : 'loss'];
  if (last.k === 'settled') return last.d.deltas?.[state.view?.you ?? -1] > 0 ? ['coins'] : [];
  return last.k in OF_EVENT ? [OF_EVENT[last.k]] : [];
}

/** @param {State} before @param {State} after @returns {string[]} */
export function soundsOf(before, after) {
  const sounds = after.last !== before.last ? eventSounds(after) : [];
  if (after.ask && after.ask.dp !== before.ask?.dp) sounds.push('turn');
  if (after.conn.status === 'lost' && before.conn.status === 'open') sounds.push('lost');
  return sounds;
}
