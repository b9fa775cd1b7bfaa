// @ts-check
/** The table page: joins, connects, keeps the one state, draws it and carries out what the player wants. */
import * as api from './api.js';
import { t } from './i18n.js';
import {
  CLOSE,
  actMessage,
  autoMessage,
  forcedLeaveMessage,
  leaveMessage,
  sayMessage,
  syncMessage,
} from './protocol.js';
import { errorText, ownRoomOf } from './refusals.js';
import { changeSettings, followSettings, settings } from './settings.js';
import { playSound } from './sound.js';
import { soundsOf } from './table-sounds.js';
import { watchMatch } from './match-watch.js';
import { openKeys } from './view/keys.js';
import { openSettings } from './view/settings.js';
import { openRoomSocket } from './socket.js';
import { initialState, isWaiting, canAnswer, reduce } from './state.js';
import { standingTiles, tileOptions } from './view/hand.js';
import { showRefusal, showSignIn } from './view/signin.js';
import { mountTable } from './view/table.js';
import { startTicker } from './view/ticker.js';
import { listenToKeys } from './keyboard.js';

/** Presses this soon after a question appeared were meant for something else. */
const ARM_MS = 250;
const TOAST_MS = 4_000;
const SAID_MS = 5_000;
const BACK_MS = 8_000;

/** @returns {{roomId: string, invite: string|null}} */
function roomOfPage() {
  const roomId = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  return { roomId, invite: new URLSearchParams(location.search).get('invite') };
}

const toLobby = () => location.assign('/');

/** Signs in when needed and takes a seat. @param {string} roomId @param {string|null} invite */
async function takeSeat(roomId, invite) {
  const me = (await api.fetchMe()) ?? (await showSignIn({ invited: invite !== null }));
  if (me.room_id !== roomId) await api.joinRoom(roomId, invite);
}

/** Why this table cannot be entered, and where one can go instead. @param {api.ApiError} error */
function refuse(error) {
  const own = ownRoomOf(error);
  const label = t(own ? 'lobby.back.do' : 'end.to_lobby');
  showRefusal(errorText(error), label, own ? () => location.assign(`/room/${own}`) : toLobby);
}

/** @param {string} roomId @param {string|null} invite */
async function getTicket(roomId, invite) {
  try {
    const { ticket } = await api.fetchTicket(roomId, 'play', invite);
    return ticket;
  } catch (error) {
    const { status } = /** @type {api.ApiError} */ (error);
    if (status === 401) location.reload();
    if (status === 403) throw { final: true, code: CLOSE.FORBIDDEN };
    if (status === 404) throw { final: true, code: CLOSE.NO_ROOM };
    throw error;
  }
}

/** @param {string} roomId @param {string|null} invite */
function startTable(roomId, invite) {
  let state = initialState();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let toastTimer;

  /** @param {any} message */
  function dispatch(message) {
    const before = state;
    state = reduce(state, message);
    if (state === before) return;
    draw(before, state);
    tick();
    followUp(before, state);
  }

  /** What has to happen later because of a change. @param {typeof state} before @param {typeof state} after */
  function followUp(before, after) {
    const { ask } = after;
    if (ask && !after.armed && ask.dp !== before.ask?.dp) {
      setTimeout(() => dispatch({ m: 'armed', dp: ask.dp }), ARM_MS);
    }
    if (after.ui.toast && after.ui.toast !== before.ui.toast) {
      clearTimeout(toastTimer);
      toastTimer = setTimeout(() => dispatch({ m: 'ui.quiet' }), TOAST_MS);
    }
    if (after.said && after.said !== before.said) setTimeout(() => dispatch({ m: 'ui.hush' }), SAID_MS);
    if (after.back && after.back.n !== before.back?.n) {
      setTimeout(() => state.back?.n === after.back?.n && dispatch({ m: 'ui.back' }), BACK_MS);
    }
    for (const sound of soundsOf(before, after)) playSound(sound);
    matching.update();
    if (after.left && !before.left) toLobby();
    if (after.view && after.view.room.ruleset !== before.view?.room.ruleset) fetchBook(after.view.room);
  }

  /** What the rules and the tier say in numbers. @param {import('./protocol.js').Room} room */
  async function fetchBook({ ruleset, tier: id }) {
    const [book, { items: tiers }] = await Promise.all([api.fetchRuleBook(ruleset), api.fetchTiers()]);
    const tier = tiers.find((/** @type {import('./protocol.js').Tier} */ item) => item.id === id);
    dispatch({ m: 'book', book, rakeBp: tier?.rake_bp ?? null });
  }

  /** @param {string} o */
  function answer(o) {
    const option = state.ask?.opts.find((candidate) => candidate.o === o);
    if (state.ask && option && canAnswer(state)) socket.send(actMessage(state.ask.dp, option));
  }

  /** @param {number} index */
  function playTile(index) {
    const tile = standingTiles(state)[index];
    const option = tile === undefined ? undefined : tileOptions(state)[tile];
    if (option) answer(option.o);
  }

  /** @type {import('./intents.js').Intents} */
  const intents = {
    answer,
    playTile,
    select: (index) => dispatch({ m: 'ui.select', index }),
    tapTile: (index) => (state.ui.selected === index ? playTile(index) : intents.select(index)),
    pick: (group, o) => dispatch({ m: 'ui.pick', group, o }),
    readyMode: (on) => dispatch({ m: 'ui.ready', on }),
    auto: (on) => socket.send(autoMessage(on)),
    leave() {
      if (state.mode === 'watch' || !state.view) toLobby();
      else if (!isWaiting(state)) socket.send(leaveMessage());
    },
    leaveAnyway(penalty) {
      if (!isWaiting(state)) socket.send(forcedLeaveMessage(penalty));
    },
    openMenu: () => dispatch({ m: 'ui.dialog', dialog: { kind: 'menu' } }),
    openSettings() {
      intents.closeDialog();
      openSettings();
    },
    openKeys() {
      intents.closeDialog();
      openKeys();
    },
    toggleSound: () => changeSettings({ effects: !settings().effects }),
    backSeen: () => dispatch({ m: 'ui.back' }),
    async cancelMatch() {
      try {
        const match = await api.leaveMatch();
        if (match.status === 'none') toLobby();
      } catch (error) {
        dispatch({ m: 'ui.toast', key: `err.${/** @type {api.ApiError} */ (error).code}` });
      }
    },
    openChat: () => dispatch({ m: 'ui.dialog', dialog: { kind: 'chat' } }),
    say(phrase) {
      socket.mention(sayMessage(phrase));
      intents.closeDialog();
    },
    closeDialog: () => dispatch({ m: 'ui.dialog', dialog: null }),
    toLobby,
    retry: () => socket.retry(),
    hideResult: (hidden) => dispatch({ m: 'ui.result', hidden }),
    async copyInvite() {
      try {
        await navigator.clipboard.writeText(location.href);
        dispatch({ m: 'ui.toast', key: 'wait.copied' });
      } catch {
        dispatch({ m: 'ui.toast', key: 'wait.copy_failed' });
      }
    },
  };

  const draw = mountTable(document.body, { invite, intents });
  const tick = startTicker(() => state);
  const matching = watchMatch(
    () => state,
    (match) => dispatch({ m: 'match', match }),
  );
  followSettings((chosen) => dispatch({ m: 'settings', settings: chosen }));
  listenToKeys(() => state, intents);
  const socket = openRoomSocket({
    roomId,
    getTicket: () => getTicket(roomId, invite),
    getResume() {
      const round = state.view?.round;
      const isRunning = round && state.view?.room.phase === 'playing';
      return isRunning ? { round: round.id, seq: state.seq } : null;
    },
    onMessage(message) {
      // A number was skipped: what is on the page is not the room any more.
      const isGap = message.m === 'ev' && state.view !== null && message.seq > state.seq + 1;
      if (isGap) socket.mention(syncMessage());
      else dispatch(message);
    },
  });
  draw(state, state);
}

export async function start() {
  const { roomId, invite } = roomOfPage();
  document.body.dataset.screen = 'table';
  try {
    await takeSeat(roomId, invite);
  } catch (error) {
    refuse(/** @type {api.ApiError} */ (error));
    return;
  }
  startTable(roomId, invite);
}
