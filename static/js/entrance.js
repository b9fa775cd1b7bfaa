// @ts-check
/**
 * How one comes to a table: to play at it, or to watch it.
 *
 * @typedef {{roomId: string, invite: string|null, purpose: import('./protocol.js').Purpose}} Entrance
 */
import * as api from './api.js';
import { CLOSE } from './protocol.js';
import { showSignIn } from './view/signin.js';

/** What the page's address asks for. @returns {Entrance} */
export function askedEntrance() {
  const query = new URLSearchParams(location.search);
  return {
    roomId: decodeURIComponent(location.pathname.split('/')[2] ?? ''),
    invite: query.get('invite'),
    purpose: query.has('watch') ? 'watch' : 'play',
  };
}

/** The address that leads there. @param {Entrance} entrance */
export function addressOf({ roomId, invite, purpose }) {
  const query = new URLSearchParams(purpose === 'watch' ? { watch: '1' } : {});
  if (invite) query.set('invite', invite);
  const asked = query.toString();
  return `/room/${encodeURIComponent(roomId)}${asked && `?${asked}`}`;
}

/**
 * Signs in when needed; who comes to play takes a seat. Nobody watches a table he sits at: he plays on.
 * @param {Entrance} asked
 * @returns {Promise<{entrance: Entrance, freeText: boolean}>}
 */
export async function enter(asked) {
  const welcome = asked.purpose === 'watch' ? 'watching' : asked.invite ? 'invited' : 'lead';
  const me = (await api.fetchMe()) ?? (await showSignIn(welcome));
  const isSeated = me.room_id === asked.roomId;
  const entrance = isSeated ? { ...asked, purpose: /** @type {const} */ ('play') } : asked;
  if (entrance.purpose === 'play' && !isSeated) await api.joinRoom(asked.roomId, asked.invite);
  return { entrance, freeText: Boolean(me.free_text) };
}

/** @param {Entrance} entrance @returns {Promise<string>} rejects with `{final: true}` when asking again is useless */
export async function fetchTicket({ roomId, invite, purpose }) {
  try {
    return (await api.fetchTicket(roomId, purpose, invite)).ticket;
  } catch (error) {
    const { status } = /** @type {api.ApiError} */ (error);
    if (status === 401) location.reload();
    if (status === 403) throw { final: true, code: CLOSE.FORBIDDEN };
    if (status === 404) throw { final: true, code: CLOSE.NO_ROOM };
    throw error;
  }
}
