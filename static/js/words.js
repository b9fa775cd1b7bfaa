// @ts-check
/**
 * What is said at the table, as the reducer keeps it.
 *
 * @typedef {import('./state.js').State} State
 */

/** Whose words may be muted: one's own never. @param {State} state @param {number} seat */
const isOther = (state, seat) => seat !== state.view?.you;

/** @param {State} state @param {{seat: number, phrase?: string, text?: string}} message @returns {State} */
export function onSaid(state, { seat, phrase = '', text = '' }) {
  if (state.muted && isOther(state, seat)) return state;
  return { ...state, said: { seat, phrase, text } };
}

/** @param {State} state @param {{on: boolean}} message @returns {State} */
export function onMute(state, { on }) {
  const isHeard = state.said && !(on && isOther(state, state.said.seat));
  return { ...state, muted: on, said: isHeard ? state.said : null };
}
