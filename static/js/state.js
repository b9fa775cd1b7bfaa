// @ts-check
/**
 * The one state of the table and its pure reducer: `reduce(state, message) → state`.
 *
 * Messages are the server's frames as they come, the socket's reports (`conn`, `sent`) and the player's own
 * moves on the page (`ui.*`). No clock, no network, no page in here.
 *
 * @typedef {import('./protocol.js').View} View
 * @typedef {import('./protocol.js').Ask} Ask
 * @typedef {import('./protocol.js').Wait} Wait
 * @typedef {import('./protocol.js').Seat} Seat
 * @typedef {{kind: 'leave', penalty: number, changed: boolean}|{kind: 'menu'|'chat'}|null} Dialog
 * @typedef {{
 *   selected: number,
 *   readyMode: boolean,
 *   picks: Record<string, string>,
 *   dialog: Dialog,
 *   resultHidden: boolean,
 *   stays: boolean,
 *   toast: {n: number, key: string, params?: object}|null,
 * }} Ui
 * @typedef {{
 *   conn: {status: 'connecting'|'open'|'lost'|'ended', attempt: number, code: number},
 *   offset: number,
 *   mode: string,
 *   me: {id: string, name: string}|null,
 *   seq: number,
 *   view: View|null,
 *   ask: Ask|null,
 *   armed: boolean,
 *   sent: Record<string, any>,
 *   confirmedUntil: number|null,
 *   parted: boolean,
 *   promised: {round: string, commitment: string}|null,
 *   fair: 'unknown'|'kept'|'broken',
 *   players: (Seat|null)[],
 *   offlineSince: (number|null)[],
 *   hints: import('./protocol.js').Hint[],
 *   waits: Wait[]|null,
 *   last: import('./protocol.js').RoomEvent|null,
 *   said: {seat: number, phrase: string, text: string}|null,
 *   muted: boolean,
 *   freeText: boolean,
 *   invite: string|null,
 *   left: boolean,
 *   book: import('./protocol.js').RuleBook|null,
 *   rakeBp: number|null,
 *   match: import('./protocol.js').Match|null,
 *   settings: import('./settings.js').Settings|null,
 *   back: {since: number|null, missed: import('./protocol.js').RoomEvent[], n: number}|null,
 *   ui: Ui,
 * }} State `confirmedUntil`: how long the other has to confirm as well; `parted`: somebody has left since the
 *   last round began; `ui.stays`: who was left alone has chosen to wait for another
 */
import { foldEvent } from './fold.js';
import { isOvertaken } from './overtaken.js';
import { onMute, onSaid } from './words.js';

const CLEAN_UI = Object.freeze({ selected: -1, readyMode: false, picks: {} });

/** @param {Partial<Pick<State, 'mode'|'invite'|'muted'|'freeText'>>} [known] what the page knows before it connects @returns {State} */
export function initialState(known = {}) {
  return {
    conn: { status: 'connecting', attempt: 0, code: 0 },
    offset: 0,
    mode: 'play',
    me: null,
    seq: 0,
    view: null,
    ask: null,
    armed: false,
    sent: {},
    confirmedUntil: null,
    parted: false,
    promised: null,
    fair: 'unknown',
    players: [null, null],
    offlineSince: [null, null],
    hints: [],
    waits: null,
    last: null,
    said: null,
    muted: false,
    freeText: false,
    invite: null,
    left: false,
    book: null,
    rakeBp: null,
    match: null,
    settings: null,
    back: null,
    ui: { ...CLEAN_UI, dialog: null, resultHidden: false, stays: false, toast: null },
    ...known,
  };
}

/** @param {State} state @param {Partial<Ui>} patch @returns {State} */
const patchUi = (state, patch) => ({ ...state, ui: { ...state.ui, ...patch } });

/** @param {State} state @returns {State} */
const withoutAsk = (state) => patchUi({ ...state, ask: null, armed: false }, { ...CLEAN_UI });

/** @param {State} state @param {string} key @param {object} [params] */
const withToast = (state, key, params) =>
  patchUi(state, { toast: { n: (state.ui.toast?.n ?? 0) + 1, key, params } });

/** @param {Record<string, any>} sent @param {string} id */
function withoutSent(sent, id) {
  const { [id]: _, ...rest } = sent;
  return rest;
}

/** Who sits, or last sat, where. @param {State} state @param {View} view */
const rememberPlayers = (state, view) => view.seats.map((seat, i) => seat ?? state.players[i] ?? null);

/**
 * The index in hand order (concealed tiles, then the drawn one) that a fresh question selects.
 * @param {View|null} view
 * @param {Ask} ask
 */
function firstSelection(view, ask) {
  const hand = view?.round?.hands[ask.seat];
  return ask.q === 'turn' && hand?.drawn && hand.tiles ? hand.tiles.length : -1;
}

/** @template T @param {T[]} list @param {number} i @param {T} value */
const at = (list, i, value) => list.map((item, j) => (j === i ? value : item));

/** Own discard of a hinted tile: the waits it leaves. @param {State} state @param {any} d */
function waitsAfterDiscard(state, d) {
  const hint = state.hints.find((item) => item.discard === d.tile);
  return hint ? hint.waits : null;
}

/** @param {State} state @param {import('./protocol.js').RoomEvent} event @returns {State} */
function onEvent(state, event) {
  if (!state.view || event.seq <= state.seq) return state;
  const view = foldEvent(state.view, event);
  /** @type {State} */
  let next = { ...state, view, seq: event.seq, last: event };
  next.players = rememberPlayers(state, view);
  const own = event.d?.seat === view.you;
  if (state.back?.since && event.t < state.back.since) {
    next.back = { ...state.back, missed: [...state.back.missed, event] };
  }
  if (event.k === 'discarded' && own) next.waits = waitsAfterDiscard(state, event.d);
  if (event.k === 'offline') next.offlineSince = at(state.offlineSince, event.d.seat, event.t);
  if (event.k === 'online') next.offlineSince = at(state.offlineSince, event.d.seat, null);
  if (event.k === 'round_started') next = onRoundStarted(next, event.d);
  if (event.k === 'base_changed') next.confirmedUntil = null;
  if (event.k === 'seat_left') next = onSeatLeft(next);
  // Whoever sits down has no part in the round that lies on the table.
  if (event.k === 'seat_taken') next = patchUi(next, { resultHidden: true });
  if (state.ask && isOvertaken(state.ask, event.k)) next = withoutAsk(next);
  return next;
}

/** Whoever stays is asked what he wants, each time. @param {State} state @returns {State} */
const onSeatLeft = (state) => patchUi({ ...state, confirmedUntil: null, parted: true }, { stays: false });

/** @param {State} state @param {any} d @returns {State} */
function onRoundStarted(state, d) {
  const promised = state.promised?.round === d.round_id ? state.promised : null;
  const fair = !promised ? 'unknown' : promised.commitment === d.commitment ? 'kept' : 'broken';
  /** @type {State} */
  const next = { ...state, fair, confirmedUntil: null, parted: false, hints: [], waits: null };
  next.players = state.view ? state.view.seats : state.players;
  const cleared = patchUi(next, { ...CLEAN_UI, resultHidden: false });
  return fair === 'broken' ? withToast(cleared, 'fair.broken') : cleared;
}

/** @param {State} state @param {Ask & {m: string}} message @returns {State} */
function onAsk(state, message) {
  const { m: _, ...ask } = message;
  const again = state.ask?.dp === ask.dp;
  const asked = { ...state, ask, armed: again && state.armed, confirmedUntil: null, hints: ask.hints ?? [] };
  if (ask.commitment && ask.round_id) {
    asked.promised = { round: ask.round_id, commitment: ask.commitment };
  }
  if (again) return asked;
  return patchUi(asked, { ...CLEAN_UI, selected: firstSelection(state.view, ask) });
}

/** @param {State} state @param {{id: string}} message @returns {State} */
function onAck(state, message) {
  const sent = state.sent[message.id];
  /** @type {State} */
  const next = { ...state, sent: withoutSent(state.sent, message.id) };
  if (sent?.m === 'leave') return { ...next, left: true };
  const { ask } = state;
  if (sent?.m === 'act' && ask && ask.dp === sent.dp) {
    const confirmedUntil = ask.q === 'confirm' ? ask.deadline_ms : next.confirmedUntil;
    return withoutAsk({ ...next, confirmedUntil });
  }
  return next;
}

/** @param {State} state @param {any} message @returns {State} */
function onErr(state, message) {
  const sent = message.id ? state.sent[message.id] : undefined;
  /** @type {State} */
  const next = message.id ? { ...state, sent: withoutSent(state.sent, message.id) } : state;
  if (message.code === 'leave_unconfirmed' || message.code === 'penalty_changed') {
    const changed = message.code === 'penalty_changed';
    return patchUi(next, { dialog: { kind: 'leave', penalty: message.penalty, changed } });
  }
  if (message.retry && sent) return state; // the socket sends it again under the same id
  if (message.code === 'stale' || message.code === 'not_your_decision') {
    return sent?.dp === state.ask?.dp ? withoutAsk(next) : next;
  }
  // Without an id it was words that were refused.
  const isWords = !message.id && message.code === 'bad_schema';
  return withToast(next, isWords ? 'err.unsayable' : `err.${message.code}`);
}

/**
 * A connection that comes again is told of, with what happened meanwhile: events from before the welcome.
 * @param {State} state @param {{status: State['conn']['status'], attempt?: number, code?: number}} message
 * @returns {State}
 */
function onConn(state, { status, attempt = 0, code = 0 }) {
  const isBack = status === 'open' && state.conn.status === 'lost' && state.view !== null;
  const back = isBack ? { since: null, missed: [], n: (state.back?.n ?? 0) + 1 } : state.back;
  return { ...state, conn: { status, attempt, code }, back: status === 'lost' ? null : back };
}

/** @type {Record<string, (state: State, message: any) => State>} */
const ON = {
  welcome: (state, { user, mode, server_ms: since }) => ({
    ...withoutAsk(state),
    ...{ me: user, mode, back: state.back && { ...state.back, since } },
  }),
  snap(state, { seq, view }) {
    const next = { ...withoutAsk(state), seq, view, last: null };
    next.players = rememberPlayers(state, view);
    next.parted = view.round !== null && (state.parted || view.room.phase === 'waiting');
    return next;
  },
  ev: onEvent,
  ask: onAsk,
  ack: onAck,
  err: onErr,
  said: onSaid,

  conn: onConn,
  clock: (state, { offset }) => ({ ...state, offset }),
  sent: (state, { message }) => ({ ...state, sent: { ...state.sent, [message.id]: message } }),
  armed: (state, { dp }) => (state.ask?.dp === dp ? { ...state, armed: true } : state),

  book: (state, { book, rakeBp }) => ({ ...state, book, rakeBp }),
  match: (state, { match }) => ({ ...state, match }),
  settings: (state, { settings }) => ({ ...state, settings }),

  'ui.select': (state, { index }) => patchUi(state, { selected: index }),
  'ui.ready': (state, { on }) => patchUi(state, { readyMode: on }),
  'ui.pick': (state, { group, o }) => patchUi(state, { picks: { ...state.ui.picks, [group]: o } }),
  'ui.dialog': (state, { dialog }) => patchUi(state, { dialog }),
  'ui.result': (state, { hidden }) => patchUi(state, { resultHidden: hidden }),
  'ui.stay': (state) => patchUi(state, { stays: true, resultHidden: true }),
  'ui.mute': onMute,
  'ui.toast': (state, { key, params }) => withToast(state, key, params),
  'ui.quiet': (state) => patchUi(state, { toast: null }),
  'ui.back': (state) => ({ ...state, back: null }),
  'ui.hush': (state, { said }) => (state.said === said ? { ...state, said: null } : state),
};

/**
 * @param {State} state
 * @param {{m: string, [field: string]: any}} message
 * @returns {State}
 */
export function reduce(state, message) {
  const on = ON[message.m];
  return on ? on(state, message) : state;
}

/** The question whether to go on is for the pair of the last round. @param {State} state */
export const goesOn = (state) => Boolean(state.view?.round?.result) && !state.parted;

/** The last event happened while the connection was down. @param {State} state */
export const isCatchingUp = (state) => state.last !== null && state.back?.missed.at(-1) === state.last;

/** An act or a leave is on its way. @param {State} state */
export const isWaiting = (state) =>
  Object.values(state.sent).some((message) => message.m === 'act' || message.m === 'leave');

/** May the player answer the open question just now? @param {State} state */
export const canAnswer = (state) =>
  state.ask !== null && state.armed && state.conn.status === 'open' && !isWaiting(state);
