// @ts-check
/**
 * Quick match as the page lives it: one entry, asked for every two seconds until somebody sits opposite.
 *
 * @typedef {import('./protocol.js').Match} Match
 * @typedef {{
 *   status: 'asking'|'waiting'|'leaving'|'lapsed'|'refused',
 *   tier: string, since: number, note: ''|'partner_left'|'offline', problem: string, roomId: string|null
 * }} Search `roomId`: the table to go back to when that is why it was refused
 */
import { ApiError } from './api.js';
import { errorText, ownRoomOf } from './refusals.js';

const POLL_MS = 2_000;
const SAME_MS = 1_500;

/**
 * @param {object} options
 * @param {{enterMatch: (tier: string) => Promise<Match>, pollMatch: () => Promise<Match>,
 *   leaveMatch: () => Promise<Match>}} options.api
 * @param {(search: Search|null) => void} options.onChange
 * @param {(roomId: string) => void} options.onMatched
 */
export function createSearch({ api, onChange, onMatched }) {
  /** @type {Search|null} */
  let search = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  /** @param {Search|null} next */
  function set(next) {
    search = next;
    onChange(search);
  }

  /** @param {Partial<Search>} part */
  const patch = (part) => search && set({ ...search, ...part });

  /** Where the server says the search stands. @param {Match} match */
  function follow(match) {
    clearTimeout(timer);
    if (!search) return;
    if (match.status === 'matched' && match.room_id) return onMatched(match.room_id);
    if (match.status === 'none') return patch({ status: 'lapsed', note: '' });
    patch({ status: 'waiting', since: began(search, match), note: match.room_id ? 'partner_left' : '' });
    timer = setTimeout(poll, POLL_MS);
  }

  /** Since when it runs; small differences between two answers are the network's. @param {Search} known @param {Match} match */
  function began(known, match) {
    const since = Date.now() - (match.waited_ms ?? 0);
    return Math.abs(since - known.since) < SAME_MS ? known.since : since;
  }

  async function poll() {
    const asked = search;
    try {
      const match = await api.pollMatch();
      if (search === asked) follow(match);
    } catch (error) {
      if (search !== asked) return;
      if (error instanceof ApiError && error.status === 401) return location.reload();
      patch({ note: 'offline' });
      timer = setTimeout(poll, POLL_MS);
    }
  }

  /** @param {unknown} error */
  const refuse = (error) => patch({ status: 'refused', problem: errorText(error), roomId: ownRoomOf(error) });

  return {
    /** Begins, or begins again; what is under way already goes on. @param {string} tier */
    async start(tier) {
      if (search && ['asking', 'waiting', 'leaving'].includes(search.status)) return;
      set({ status: 'asking', tier, since: Date.now(), note: '', problem: '', roomId: null });
      try {
        follow(await api.enterMatch(tier));
      } catch (error) {
        refuse(error);
      }
    },
    /** Takes up an entry from before the page was opened. @param {Match} match */
    resume(match) {
      if (match.status === 'none' || search) return;
      set({ status: 'waiting', tier: match.tier ?? '', since: Date.now(), note: '', problem: '', roomId: null });
      follow(match);
    },
    async cancel() {
      if (!search || search.status === 'asking' || search.status === 'leaving') return;
      if (search.status === 'lapsed' || search.status === 'refused') return set(null);
      clearTimeout(timer);
      patch({ status: 'leaving' });
      try {
        const match = await api.leaveMatch();
        if (match.status === 'matched' && match.room_id) onMatched(match.room_id);
        else set(null);
      } catch (error) {
        refuse(error);
      }
    },
  };
}
