// @ts-check
/** The table page: joins, connects, keeps the one state, draws it and carries out what the player wants. */
import * as api from './api.js';
import { t } from './i18n.js';
import { addressOf, askedEntrance, enter, fetchTicket } from './entrance.js';
import {
  actMessage,
  autoMessage,
  forcedLeaveMessage,
  leaveMessage,
  sayMessage,
  syncMessage,
} from './protocol.js';
import { isMuted, keepMuted } from './muting.js';
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
import { showRefusal } from './view/signin.js';
import { mountTable } from './view/table.js';
import { startTicker } from './view/ticker.js';
import { listenToKeys } from './keyboard.js';

/** Presses this soon after a question appeared were meant for something else. */
const ARM_MS = 250;
const TOAST_MS = 4_000;
const PHRASE_MS = 5_000;
const TEXT_MS = 8_000;
const BACK_MS = 8_000;

const toLobby = () => location.assign('/');

/** Why this table cannot be entered, and where one can go instead. @param {api.ApiError} error */
function refuse(error) {
  const own = ownRoomOf(error);
  const label = t(own ? 'lobby.back.do' : 'end.to_lobby');
  showRefusal(errorText(error), label, own ? () => location.assign(`/room/${own}`) : toLobby);
}

/** @param {import('./entrance.js').Entrance} entrance @param {boolean} freeText */
function startTable(entrance, freeText) {
  const { purpose: mode, invite } = entrance;
  let state = initialState({ mode, invite, muted: isMuted(), freeText });
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
    const { said } = after;
    if (said && said !== before.said) {
      setTimeout(() => dispatch({ m: 'ui.hush', said }), said.text ? TEXT_MS : PHRASE_MS);
    }
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
    auto: (on) => state.mode === 'watch' || socket.send(autoMessage(on)),
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
    openChat: () => state.mode === 'watch' || dispatch({ m: 'ui.dialog', dialog: { kind: 'chat' } }),
    say(words) {
      socket.mention(sayMessage(words));
      intents.closeDialog();
    },
    mute(on) {
      keepMuted(on);
      dispatch({ m: 'ui.mute', on });
    },
    stay: () => dispatch({ m: 'ui.stay' }),
    closeDialog: () => dispatch({ m: 'ui.dialog', dialog: null }),
    toLobby,
    retry: () => socket.retry(),
    hideResult: (hidden) => dispatch({ m: 'ui.result', hidden }),
    async copyLink(purpose) {
      intents.closeDialog();
      try {
        await navigator.clipboard.writeText(location.origin + addressOf({ ...entrance, purpose }));
        dispatch({ m: 'ui.toast', key: 'wait.copied' });
      } catch {
        dispatch({ m: 'ui.toast', key: 'wait.copy_failed' });
      }
    },
  };

  const draw = mountTable(document.body, intents);
  const tick = startTicker(() => state);
  const matching = watchMatch(
    () => state,
    (match) => dispatch({ m: 'match', match }),
  );
  followSettings((chosen) => dispatch({ m: 'settings', settings: chosen }));
  listenToKeys(() => state, intents);
  const socket = openRoomSocket({
    roomId: entrance.roomId,
    purpose: entrance.purpose,
    getTicket: () => fetchTicket(entrance),
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
  document.body.dataset.screen = 'table';
  const entered = await enter(askedEntrance()).catch(refuse);
  if (entered) startTable(entered.entrance, entered.freeText);
}
