// @ts-check
/**
 * The lobby page: who I am, which table to choose, how to get to one.
 *
 * @typedef {{id: string, name: string, coins: number, points: number, rank: string,
 *   next_rank: {name: string, points: number}|null, guest: boolean}} Player
 * @typedef {{id: string, name: string, ruleset: string, ruleset_name: string, tiles: number, base: number,
 *   entry_min: number, entry_max: number|null, open: boolean, online: number}} Tier
 * @typedef {{id: string, tier: string, tier_name: string, ruleset: string, base: number,
 *   host: {id: string, name: string, rank: string}, seats_taken: number, phase: string}} OpenRoom
 * @typedef {{
 *   me: Player, roomId: string|null,
 *   tiers: Tier[]|null, tiersFailed: boolean,
 *   rooms: OpenRoom[]|null, roomsFailed: boolean,
 *   ruleset: string, tier: string, busy: boolean, problem: string
 * }} LobbyState
 */
import * as api from './api.js';
import { t } from './i18n.js';
import { mountLobby } from './view/lobby.js';
import { errorText, showRefusal, showSignIn } from './view/signin.js';

const REFRESH_MS = 10_000;
const LAST_TIER = 'erma.tier';

/** @param {string} roomId @param {string|null} [invite] */
function goToRoom(roomId, invite) {
  const query = invite ? `?invite=${encodeURIComponent(invite)}` : '';
  location.assign(`/room/${encodeURIComponent(roomId)}${query}`);
}

/** The tier to point at first: the last one played if it is open, else the first open one. @param {Tier[]} tiers */
function firstTier(tiers) {
  const last = localStorage.getItem(LAST_TIER);
  const open = tiers.filter((tier) => tier.open);
  return open.find((tier) => tier.id === last) ?? open[0] ?? tiers[0] ?? null;
}

/** @param {LobbyState} state @param {(patch: Partial<LobbyState>) => void} update */
function lobbyIntents(state, update) {
  /** Runs one request at a time and tells what went wrong. @param {() => Promise<void>} action */
  async function attempt(action) {
    if (state.busy) return;
    update({ busy: true, problem: '' });
    try {
      await action();
    } catch (error) {
      update({ busy: false, problem: errorText(error) });
    }
  }

  return {
    /** @param {string} ruleset */
    chooseRuleset(ruleset) {
      const tier = firstTier((state.tiers ?? []).filter((item) => item.ruleset === ruleset));
      update({ ruleset, tier: tier?.id ?? '' });
    },
    /** @param {string} tier */
    chooseTier: (tier) => update({ tier }),
    /** @param {boolean} isPrivate */
    create: (isPrivate) =>
      attempt(async () => {
        localStorage.setItem(LAST_TIER, state.tier);
        const room = await api.createRoom({ tier: state.tier, private: isPrivate });
        goToRoom(room.room_id, isPrivate ? room.invite : null);
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
    /** @param {string} roomId */
    goBack: (roomId) => goToRoom(roomId),
    async loadTiers() {
      update({ tiersFailed: false });
      try {
        const { items: tiers } = await api.fetchTiers();
        const tier = firstTier(tiers);
        update({ tiers, tier: tier?.id ?? '', ruleset: tier?.ruleset ?? '' });
      } catch {
        update({ tiersFailed: true });
      }
    },
    async loadRooms() {
      try {
        const { items: rooms } = await api.fetchRooms();
        update({ rooms, roomsFailed: false });
      } catch {
        update({ roomsFailed: true });
      }
    },
  };
}

/** @typedef {ReturnType<typeof lobbyIntents>} LobbyIntents */

/** @param {{user: Player, room_id: string|null}} me */
function openLobby(me) {
  document.body.dataset.screen = 'lobby';
  /** @type {LobbyState} */
  const state = {
    me: me.user,
    roomId: me.room_id,
    tiers: null,
    tiersFailed: false,
    rooms: null,
    roomsFailed: false,
    ruleset: '',
    tier: '',
    busy: false,
    problem: '',
  };
  /** @param {Partial<LobbyState>} patch */
  const update = (patch) => {
    Object.assign(state, patch);
    draw(state);
  };
  const intents = lobbyIntents(state, update);
  const draw = mountLobby(document.body, intents);
  draw(state);
  intents.loadTiers();
  intents.loadRooms();
  setInterval(() => document.hidden || intents.loadRooms(), REFRESH_MS);
  // Coming back from a table by the browser's own button shows the page as it was left.
  addEventListener('pageshow', (event) => event.persisted && location.reload());
}

export async function startLobby() {
  document.title = t('title.lobby');
  try {
    const me = (await api.fetchMe()) ?? (await showSignIn({ invited: false }));
    openLobby(me);
  } catch (error) {
    showRefusal(errorText(error), t('lobby.retry'), () => location.reload());
  }
}
