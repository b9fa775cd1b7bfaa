// @ts-check
/**
 * Who sits below and who above, and what may be seen of their hands.
 * @typedef {import('../state.js').State} State
 */
import { t } from '../i18n.js';

/** The seat shown below: one's own, or seat 0 for a watcher. @param {State} state */
export const ownSeat = (state) => state.view?.you ?? 0;

/** @param {State} state */
export const theirSeat = (state) => 1 - ownSeat(state);

/** @param {State} state */
export const isWatching = (state) => state.view?.you === null;

/** A link for who wants to watch can be given away; to a private table it needs the invite. @param {State} state */
export function canShareWatching({ view, invite }) {
  const room = view?.room;
  return Boolean(room?.spectators) && (invite !== null || !room?.private);
}

/** @param {State} state @param {number} seat */
export const handOf = (state, seat) => state.view?.round?.hands[seat] ?? null;

/** The player of a seat, also after he has left it. @param {State} state @param {number} seat */
export const playerOf = (state, seat) => state.view?.seats[seat] ?? state.players[seat] ?? null;

/** @param {State} state @param {number} seat */
export function nameOf(state, seat) {
  const player = playerOf(state, seat);
  if (player) return player.user.name;
  return seat === ownSeat(state) ? t('plate.you') : t('plate.them');
}

/** Concealed tiles once both hands have been shown at the end. @param {State} state @param {number} seat */
export const revealedTiles = (state, seat) => state.view?.round?.result?.revealed?.hands?.[seat] ?? null;

/** The panel of the last round lies on the table. @param {State} state */
export function isResultShown(state) {
  const result = state.view?.round?.result;
  const isOver = Boolean(result && (result.settled || result.voided));
  return isOver && !state.ui.resultHidden;
}
