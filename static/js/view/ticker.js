// @ts-check
/** Everything that moves with the clock: ring, seconds, time line, seconds offline. */
import { t } from '../i18n.js';
import { playSound } from '../sound.js';
import { RING_LENGTH } from './hub.js';

/** @typedef {import('../state.js').State} State */

const STEP_MS = 200;
const URGENT_MS = 5_000;

/** @param {number} ms */
const seconds = (ms) => String(Math.max(0, Math.ceil(ms / 1000)));

/** The own time of a decision is used first, then the reserve of the round. @param {State} state @param {number} now server time */
export function timeLeft(state, now) {
  if (!state.ask) return null;
  const { deadline_ms: deadline, base_ms: base, bank_ms: bank } = state.ask;
  const total = Math.max(0, deadline - now);
  const own = total - bank;
  const onReserve = own <= 0 && bank > 0;
  return {
    total,
    shown: onReserve ? total : own,
    share: onReserve ? total / bank : Math.min(1, own / Math.max(base, 1)),
    onReserve,
    urgent: total <= URGENT_MS,
  };
}

/** @param {string} name */
const ticking = (name) => document.querySelectorAll(`[data-tick="${name}"]`);

/** @param {NonNullable<ReturnType<typeof timeLeft>>} left */
function paintClock({ shown, share, onReserve, urgent }) {
  for (const ring of ticking('clock')) {
    ring.classList.toggle('urgent', urgent);
    ring.classList.toggle('on-reserve', onReserve);
    const arc = ring.querySelector('.left');
    arc?.setAttribute('stroke-dashoffset', String(Math.round(RING_LENGTH * (1 - share))));
    const text = ring.querySelector('.seconds');
    if (text) text.textContent = seconds(shown);
    const reserve = ring.querySelector('.reserve');
    if (reserve instanceof HTMLElement) reserve.hidden = !onReserve;
  }
  for (const element of ticking('seconds')) element.textContent = seconds(shown);
  for (const line of ticking('line')) {
    if (line instanceof HTMLElement) line.style.width = `${Math.round(share * 100)}%`;
  }
}

/** @param {State} state @param {number} now */
function paintAbsence(state, now) {
  for (const element of document.querySelectorAll('[data-since]')) {
    const since = Number(element instanceof HTMLElement ? element.dataset.since : 0);
    element.textContent = since ? t('plate.offline.for', { s: seconds(now - since) }) : t('plate.offline');
  }
  const left = timeLeft(state, now);
  for (const element of ticking('seat-time')) {
    element.textContent = left ? ` · ${t('banner.time_left', { s: seconds(left.total) })}` : '';
  }
}

/** How long the other may still think about another round. @param {State} state @param {number} now */
function paintConfirm({ confirmedUntil }, now) {
  if (confirmedUntil === null) return;
  const left = t('hub.seconds', { s: seconds(confirmedUntil - now) });
  for (const element of ticking('confirm-left')) element.textContent = left;
}

/** The countdown is spoken at ten and at five seconds only. @param {number} total */
function speakClock(total) {
  const left = Number(seconds(total));
  if (left !== 10 && left !== 5) return;
  const line = t('say.seconds', { s: left });
  for (const element of ticking('spoken')) if (element.textContent !== line) element.textContent = line;
}

/** The tab's title; while nobody looks at it, one's turn flashes. @param {State} state @param {number} now */
function paintTitle({ ask, view, mode }, now) {
  const mine = ask !== null && ask.q !== 'confirm';
  const tier = view?.room.tier_name;
  const flashes = mine && document.hidden && Math.floor(now / 1000) % 2 === 0;
  const other = tier ? t(mode === 'watch' ? 'title.watch' : 'title.room', { tier }) : t('app.title');
  const title = flashes ? t('title.flash') : mine ? t('title.turn') : other;
  if (document.title !== title) document.title = title;
}

/** One tick for each of the last five seconds. @param {State} state @param {number} total @param {{tick: string}} heard */
function soundClock(state, total, heard) {
  const id = `${state.ask?.dp} ${seconds(total)}`;
  if (total > URGENT_MS || total <= 0 || heard.tick === id) return;
  heard.tick = id;
  playSound('tick');
}

/** @param {() => State} current */
export function startTicker(current) {
  const heard = { tick: '' };
  const tick = () => {
    const state = current();
    const now = Date.now() + state.offset;
    const left = timeLeft(state, now);
    if (left) {
      paintClock(left);
      speakClock(left.total);
      soundClock(state, left.total, heard);
    }
    paintAbsence(state, now);
    paintConfirm(state, now);
    paintTitle(state, now);
  };
  setInterval(tick, STEP_MS);
  return tick;
}
