// @ts-check
/**
 * The room's WebSocket as the table needs it: a fresh ticket for each connection, resume, reconnection, and
 * an outbox whose unanswered messages are sent again under their own ids.
 */
import { CLOSE, SUBPROTOCOL, isFinalClose, syncMessage } from './protocol.js';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const PING_MS = 10_000;
const SILENCE_MS = 8_000;
const RETRY_MS = 1_000;

/**
 * @typedef {object} SocketOptions
 * @property {string} roomId
 * @property {import('./protocol.js').Purpose} purpose
 * @property {() => Promise<string>} getTicket rejects with `{final: true}` when asking again is useless
 * @property {() => {round: string, seq: number}|null} getResume
 * @property {(message: any) => void} onMessage server frames, and `conn`, `clock`, `sent` reports
 */

/** @param {number} attempt the first is 1 */
export function delayBefore(attempt) {
  const full = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return full * (0.75 + Math.random() * 0.5);
}

/** @param {SocketOptions} options */
export function openRoomSocket({ roomId, purpose, getTicket, getResume, onMessage }) {
  /** @type {WebSocket|null} */
  let socket = null;
  /** @type {Map<string, any>} */
  const outbox = new Map();
  let attempt = 0;
  let welcomed = false;
  let wasWelcome = false; // ever on this page
  let stopped = false;
  let connecting = false;
  let pings = 0;
  let bestRoundTrip = Infinity;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let reconnectTimer;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let silenceTimer;

  const url = () => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return `${scheme}://${location.host}/ws/rooms/${encodeURIComponent(roomId)}`;
  };

  /** @param {object} message */
  function transmit(message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  /** @param {string} status @param {number} [code] */
  const report = (status, code = 0) => onMessage({ m: 'conn', status, attempt, code });

  async function connect() {
    clearTimeout(reconnectTimer);
    if (connecting || stopped || socket) return;
    connecting = true;
    attempt += 1;
    report(attempt === 1 && !wasWelcome ? 'connecting' : 'lost');
    try {
      const ticket = await getTicket();
      if (!stopped) attach(new WebSocket(url(), SUBPROTOCOL), ticket);
    } catch (error) {
      const { final = false, code = 0 } = /** @type {any} */ (error);
      if (final) end(code);
      else reconnectLater();
    } finally {
      connecting = false;
    }
  }

  /** @param {WebSocket} fresh @param {string} ticket */
  function attach(fresh, ticket) {
    socket = fresh;
    welcomed = false;
    fresh.addEventListener('open', () => {
      const resume = getResume();
      transmit(resume ? { m: 'hello', ticket, resume } : { m: 'hello', ticket });
    });
    fresh.addEventListener('message', (event) => {
      if (socket === fresh) receive(event.data);
    });
    fresh.addEventListener('close', (event) => {
      if (socket === fresh) lost(event.code);
    });
  }

  /** @param {string} text */
  function receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message.m === 'welcome') welcome(message);
    if (message.m === 'pong') return pong(message);
    if (message.m === 'ack') outbox.delete(message.id);
    if (message.m === 'err') refused(message);
    onMessage(message);
  }

  /** @param {{server_ms: number}} message */
  function welcome(message) {
    welcomed = true;
    wasWelcome = true;
    attempt = 0;
    bestRoundTrip = Infinity;
    onMessage({ m: 'clock', offset: message.server_ms - Date.now() });
    onMessage({ m: 'conn', status: 'open' });
    for (const kept of outbox.values()) transmit(kept);
    ping();
  }

  /** @param {any} message */
  function refused(message) {
    const kept = outbox.get(message.id);
    if (!kept) return;
    if (message.retry) setTimeout(() => outbox.has(message.id) && transmit(kept), RETRY_MS);
    else outbox.delete(message.id);
    if (message.code === 'stale') transmit(syncMessage());
  }

  function ping() {
    if (!welcomed) return;
    pings += 1;
    transmit({ m: 'ping', n: pings, t: Date.now() });
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => drop(), SILENCE_MS);
  }

  /** @param {{t: number, server_ms: number}} message */
  function pong(message) {
    clearTimeout(silenceTimer);
    const now = Date.now();
    const roundTrip = now - message.t;
    if (roundTrip >= bestRoundTrip) return;
    bestRoundTrip = roundTrip;
    onMessage({ m: 'clock', offset: message.server_ms + roundTrip / 2 - now });
  }

  /** Gives a silent connection up without waiting for its close. */
  function drop() {
    const silent = socket;
    if (!silent) return;
    lost(0);
    silent.close();
  }

  /** @param {number} code */
  function lost(code) {
    socket = null;
    welcomed = false;
    clearTimeout(silenceTimer);
    if (stopped) return;
    if (isFinalClose(code, purpose)) end(code);
    else if (code === CLOSE.TICKET && attempt < 3) connect();
    else reconnectLater();
  }

  function reconnectLater() {
    report('lost');
    clearTimeout(reconnectTimer);
    reconnectTimer = setTimeout(connect, delayBefore(Math.max(attempt, 1)));
  }

  /** @param {number} code */
  function end(code) {
    stopped = true;
    clearTimeout(reconnectTimer);
    report('ended', code);
  }

  function connectNow() {
    if (!socket && !stopped) connect();
    else ping();
  }

  setInterval(ping, PING_MS);
  addEventListener('online', connectNow);
  addEventListener('offline', drop);
  document.addEventListener('visibilitychange', () => document.hidden || connectNow());
  connect();

  return {
    /** Sends a message that has an id and keeps it until it is answered. @param {any} message */
    send(message) {
      outbox.set(message.id, message);
      onMessage({ m: 'sent', message });
      if (welcomed) transmit(message);
    },
    /** Sends a message nobody waits for; lost when there is no connection. @param {object} message */
    mention(message) {
      if (welcomed) transmit(message);
    },
    /** Connects at once, also after another window took the seat. */
    retry() {
      stopped = false;
      connectNow();
    },
    close() {
      stopped = true;
      socket?.close(CLOSE.END);
    },
  };
}
