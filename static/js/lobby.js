// @ts-check
/**
 * The lobby page: who I am, which table to choose, how to get to one.
 *
 * @typedef {import('./protocol.js').Player} Player
 * @typedef {import('./protocol.js').Me} Me
 * @typedef {import('./protocol.js').Tier} Tier
 * @typedef {import('./search.js').Search} Search
 * @typedef {{id: string, name: string, rank: string}} Sitter
 * @typedef {{id: string, tier: string, tier_name: string, ruleset: string, base: number,
 *   host: Sitter|null, seats: (Sitter|null)[], seats_taken: number, phase: string}} OpenRoom
 * @typedef {'rooms'|'watched'|'played'} List
 * @typedef {{items: import('./protocol.js').Place[], me: import('./protocol.js').Place|null}} Board
 * @typedef {{
 *   me: Player, role: Me['role'], roomId: string|null, daily: boolean,
 *   career: import('./protocol.js').Career|null,
 *   ranks: import('./protocol.js').Rank[],
 *   tiers: Tier[]|null, tiersFailed: boolean,
 *   rooms: OpenRoom[]|null, roomsFailed: boolean,
 *   watched: OpenRoom[]|null, watchedFailed: boolean,
 *   played: import('./protocol.js').Played[]|null, playedFailed: boolean,
 *   board: Board|null, boardFailed: boolean,
 *   ruleset: string, tier: string, lastTier: string, list: List,
 *   busy: boolean, problem: string, news: string, search: Search|null
 * }} LobbyState
 */
import * as api from './api.js';
import { addressOf } from './entrance.js';
import { t } from './i18n.js';
import { errorText, ownRoomOf } from './refusals.js';
import { createSearch } from './search.js';
import { keep, openAccount } from './view/account/menu.js';
import { mountLobby } from './view/lobby.js';
import { showRefusal, showSignIn } from './view/signin.js';

const REFRESH_MS = 10_000;
const LAST_TIER = 'erma.tier';
const BOARD = { by: 'points', period: 'week' };
const BOARD_LENGTH = 9;
const PLAYED_LENGTH = 12;

/** @param {string} roomId @param {string|null} [invite] @param {import('./protocol.js').Purpose} [purpose] */
const goToRoom = (roomId, invite = null, purpose = 'play') =>
  location.assign(addressOf({ roomId, invite, purpose }));

/** The tier to point at first: the last one played if it is open, else the first open one. @param {Tier[]} tiers @param {string} last */
function firstTier(tiers, last) {
  const open = tiers.filter((tier) => tier.open);
  return open.find((tier) => tier.id === last) ?? open[0] ?? tiers[0] ?? null;
}

/** @typedef {(patch: Partial<LobbyState>) => void} Update */

/** What the page asks the server for. @param {LobbyState} state @param {Update} update */
function loaders(state, update) {
  return {
    async loadTiers() {
      update({ tiersFailed: false });
      try {
        const { items: tiers } = await api.fetchTiers();
        const tier = firstTier(tiers, state.lastTier);
        update({ tiers, tier: tier?.id ?? '', ruleset: tier?.ruleset ?? '' });
        if (tier) update({ ranks: (await api.fetchRuleBook(tier.ruleset)).ranks });
      } catch {
        update({ tiersFailed: state.tiers === null });
      }
    },
    async loadRooms() {
      try {
        const { items: rooms } = await api.fetchRooms('join');
        update({ rooms, roomsFailed: false });
      } catch {
        update({ roomsFailed: true });
      }
    },
    async loadWatched() {
      try {
        const { items: watched } = await api.fetchRooms('watch');
        update({ watched, watchedFailed: false });
      } catch {
        update({ watchedFailed: true });
      }
    },
    async loadPlayed() {
      update({ playedFailed: false });
      try {
        const { items: played } = await api.fetchPlayed(state.me.id, { limit: PLAYED_LENGTH });
        update({ played });
      } catch {
        update({ playedFailed: true });
      }
    },
    async loadBoard() {
      update({ boardFailed: false });
      try {
        const [{ items }, { me }] = await Promise.all([
          api.fetchBoard({ ...BOARD, limit: BOARD_LENGTH }),
          api.fetchAround({ ...BOARD, limit: 1 }),
        ]);
        update({ board: { items, me } });
      } catch {
        update({ boardFailed: true });
      }
    },
    async loadCareer() {
      try {
        update({ career: await api.fetchPlayer(state.me.id) });
      } catch {
        // The numbers stay away; what one can do does not depend on them.
      }
    },
  };
}

/** Ways to a table. @param {LobbyState} state @param {Update} update @param {ReturnType<typeof createSearch>} search */
function doors(state, update, search) {
  /** Runs one request at a time and tells what went wrong. @param {() => Promise<void>} action */
  async function attempt(action) {
    if (state.busy) return;
    update({ busy: true, problem: '', news: '' });
    try {
      await action();
    } catch (error) {
      const roomId = ownRoomOf(error) ?? state.roomId;
      update({ busy: false, problem: errorText(error), roomId });
    }
  }
  const rememberTier = () => localStorage.setItem(LAST_TIER, state.tier);

  return {
    quickStart() {
      rememberTier();
      update({ problem: '', news: '' });
      search.start(state.tier);
    },
    searchAgain: () => search.start(state.search?.tier ?? state.tier),
    cancelSearch: () => search.cancel(),
    /** @param {{isPrivate: boolean, spectators: boolean}} wishes */
    create: ({ isPrivate, spectators }) =>
      attempt(async () => {
        rememberTier();
        const room = await api.createRoom({ tier: state.tier, private: isPrivate, spectators });
        goToRoom(room.room_id, isPrivate ? room.invite : null);
      }),
    /** A table with the computer, at any open tier: what it takes is practice coins. */
    practise: () =>
      attempt(async () => {
        const room = await api.createRoom({ tier: state.tier, private: true, bot: true });
        goToRoom(room.room_id);
      }),
    /** @param {string} code */
    joinByCode: (code) =>
      attempt(async () => {
        const { room_id: roomId } = await api.fetchInvite(code);
        await api.joinRoom(roomId, code);
        goToRoom(roomId, code);
      }),
    /** @param {string} roomId */
    joinRoom: (roomId) =>
      attempt(async () => {
        await api.joinRoom(roomId);
        goToRoom(roomId);
      }),
    askDaily: () =>
      attempt(async () => {
        const { granted, coins } = await api.askDaily();
        update({ busy: false, me: { ...state.me, coins }, daily: false, news: t('daily.granted', { n: granted }) });
      }),
    askRelief: () =>
      attempt(async () => {
        const { granted, coins, left } = await api.askRelief();
        const news = t('relief.granted', { n: granted, left });
        update({ busy: false, me: { ...state.me, coins }, news });
      }),
    /** @param {string} roomId */
    watch: (roomId) => goToRoom(roomId, null, 'watch'),
    /** @param {string} roomId */
    goBack: (roomId) => goToRoom(roomId),
  };
}

/** One's own account; who is somebody else now, or nobody, begins anew. @param {LobbyState} state @param {Update} update */
function accountIntents(state, update) {
  /** @type {import('./view/account/menu.js').Changed} */
  const changed = (me, news = '') => (me ? update({ me: me.user, news, problem: '' }) : location.reload());
  return {
    openAccount: () => openAccount(state.me, changed),
    keepAccount: () => keep(state.me, changed),
  };
}

/** @param {LobbyState} state @param {Update} update @param {ReturnType<typeof createSearch>} search */
const lobbyIntents = (state, update, search) => ({
  ...loaders(state, update),
  ...doors(state, update, search),
  ...accountIntents(state, update),
  /** @param {string} ruleset */
  chooseRuleset(ruleset) {
    const tier = firstTier(
      (state.tiers ?? []).filter((item) => item.ruleset === ruleset),
      state.lastTier,
    );
    update({ ruleset, tier: tier?.id ?? '' });
  },
  /** @param {string} tier */
  chooseTier: (tier) => update({ tier }),
  /** What may be watched changes fast: it is asked for when somebody looks. @param {List} list */
  chooseList(list) {
    update({ list });
    refreshList(state, loaders(state, update));
  },
});

/** Asks anew for the tables that are listed. @param {LobbyState} state @param {ReturnType<typeof loaders>} load */
const refreshList = ({ list }, load) => (list === 'watched' ? load.loadWatched() : load.loadRooms());

/** @typedef {ReturnType<typeof lobbyIntents>} LobbyIntents */

/** @param {Me} me @returns {LobbyState} */
const firstState = (me) => ({
  me: me.user,
  role: me.role,
  roomId: me.room_id,
  daily: me.daily,
  career: null,
  ranks: [],
  tiers: null,
  tiersFailed: false,
  rooms: null,
  roomsFailed: false,
  watched: null,
  watchedFailed: false,
  played: null,
  playedFailed: false,
  board: null,
  boardFailed: false,
  ruleset: '',
  tier: '',
  lastTier: localStorage.getItem(LAST_TIER) ?? '',
  list: 'rooms',
  busy: false,
  problem: '',
  news: '',
  search: null,
});

/** @param {Me} me */
function openLobby(me) {
  document.body.dataset.screen = 'lobby';
  const state = firstState(me);
  /** @type {Update} */
  const update = (patch) => {
    Object.assign(state, patch);
    draw(state);
  };
  const search = createSearch({
    api,
    onChange: (next) => update({ search: next }),
    onMatched: (roomId) => goToRoom(roomId),
  });
  const intents = lobbyIntents(state, update, search);
  const draw = mountLobby(document.body, intents);
  draw(state);
  for (const load of ['loadTiers', 'loadRooms', 'loadBoard', 'loadPlayed', 'loadCareer']) {
    intents[/** @type {'loadTiers'} */ (load)]();
  }
  api.pollMatch().then(search.resume, () => {});
  setInterval(() => document.hidden || refreshList(state, intents), REFRESH_MS);
  // Coming back from a table by the browser's own button shows the page as it was left.
  addEventListener('pageshow', (event) => event.persisted && location.reload());
}

export async function start() {
  document.title = t('title.lobby');
  try {
    const me = (await api.fetchMe()) ?? (await showSignIn('lead'));
    openLobby(me);
  } catch (error) {
    showRefusal(errorText(error), t('lobby.retry'), () => location.reload());
  }
}
