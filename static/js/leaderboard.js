// @ts-check
/**
 * The leaderboard page. What is shown is in the address, so that it can be linked and gone back to.
 *
 * @typedef {import('./protocol.js').Place} Place
 * @typedef {import('./boards.js').By} By
 * @typedef {import('./boards.js').Period} Period
 * @typedef {{
 *   by: By, period: Period, own: string, isGuest: boolean,
 *   places: Place[]|null, next: string|null, since: number|null, me: Place|null,
 *   failed: boolean, busy: boolean
 * }} BoardState
 */
import * as api from './api.js';
import { MEASURES, PERIODS } from './boards.js';
import { t } from './i18n.js';
import { errorText } from './refusals.js';
import { mountBoard } from './view/board.js';
import { showRefusal } from './view/signin.js';

const PAGE = 50;

/** @template {string} T @param {readonly T[]} known @param {string|null} asked @param {T} otherwise @returns {T} */
const oneOf = (known, asked, otherwise) => known.find((name) => name === asked) ?? otherwise;

/** What the address asks for. @returns {{by: By, period: Period}} */
function asked() {
  const query = new URLSearchParams(location.search);
  return {
    by: oneOf(MEASURES, query.get('by'), 'points'),
    period: oneOf(PERIODS, query.get('period'), 'week'),
  };
}

/** @param {string|null} own */
function openBoard(own) {
  /** @type {BoardState} */
  const state = {
    ...asked(),
    own: own ?? '',
    isGuest: own === null,
    places: null,
    next: null,
    since: null,
    me: null,
    failed: false,
    busy: false,
  };
  /** @param {Partial<BoardState>} patch */
  const update = (patch) => {
    Object.assign(state, patch);
    draw(state);
  };
  let turn = 0;

  async function load() {
    const mine = ++turn;
    const query = { by: state.by, period: state.period };
    update({ places: null, next: null, me: null, failed: false, busy: true });
    try {
      const [board, around] = await Promise.all([
        api.fetchBoard({ ...query, limit: PAGE }),
        own === null ? { me: null } : api.fetchAround({ ...query, limit: 1 }),
      ]);
      if (mine !== turn) return;
      update({ places: board.items, next: board.next, since: board.since_ms, me: around.me, busy: false });
    } catch {
      if (mine === turn) update({ failed: true, busy: false });
    }
  }

  const intents = {
    load,
    /** @param {{by?: By, period?: Period}} choice */
    choose(choice) {
      update(choice);
      const query = new URLSearchParams({ by: state.by, period: state.period });
      history.replaceState(null, '', `?${query}`);
      load();
    },
    async more() {
      if (state.busy || !state.next) return;
      const mine = turn;
      update({ busy: true });
      try {
        const { by, period, next: cursor } = state;
        const { items, next } = await api.fetchBoard({ by, period, limit: PAGE, cursor });
        if (mine === turn) update({ places: [...(state.places ?? []), ...items], next, busy: false });
      } catch {
        if (mine === turn) update({ failed: true, busy: false });
      }
    },
  };
  const draw = mountBoard(document.body, intents);
  load();
}

/** @typedef {{load: () => void, more: () => void, choose: (choice: {by?: By, period?: Period}) => void}} BoardIntents */

export async function start() {
  document.title = t('title.leaderboard');
  try {
    const me = await api.fetchMe();
    openBoard(me ? me.user.id : null);
  } catch (error) {
    showRefusal(errorText(error), t('lobby.retry'), () => location.reload());
  }
}
