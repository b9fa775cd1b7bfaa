// @ts-check
/** Connection lost (shown after two seconds), and the words when it will not come back. */
import { CLOSE } from '../protocol.js';
import { t } from '../i18n.js';
import { cls, h, region } from './dom.js';
import { eventLine } from './speech.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 */

/** So many of the missed moves are told; what is older shows on the table. */
const TOLD = 6;

/** @param {State} state */
function bannerSlice(state) {
  const { conn, back } = state;
  const missed = (back?.missed ?? []).map((event) => eventLine(state, event)).filter(Boolean);
  return {
    lost: conn.status === 'lost',
    attempt: Math.max(conn.attempt, 1),
    back:
      back && conn.status === 'open'
        ? { n: back.n, count: missed.length, missed: missed.slice(-TOLD) }
        : null,
  };
}

/** @param {NonNullable<ReturnType<typeof bannerSlice>['back']>} back @param {Intents} intents */
const drawBack = ({ count, missed }, intents) =>
  h(
    'div',
    { class: cls('banner', 'again', count > 0 && 'listing'), role: 'status', 'data-testid': 'back' },
    h('b', {}, t('banner.back')),
    count > 0 && h('span', {}, t('banner.missed', { n: count })),
    count > 0 &&
      h(
        'ol',
        { class: 'missed' },
        missed.map((line) => h('li', {}, line)),
      ),
    h(
      'button',
      { type: 'button', class: 'button', 'data-key': 'back-seen', onclick: intents.backSeen },
      t('banner.seen'),
    ),
  );

/** @param {ReturnType<typeof bannerSlice>} slice @param {Intents} intents */
function drawBanner({ lost, attempt, back }, intents) {
  if (back) return drawBack(back, intents);
  if (!lost) return null;
  return h(
    'div',
    { class: 'banner', role: 'status' },
    h('span', { class: 'spinner', 'aria-hidden': 'true' }),
    h('b', {}, t('banner.lost')),
    h('span', {}, t('banner.attempt', { n: attempt }), h('span', { 'data-tick': 'seat-time' })),
    h(
      'button',
      { type: 'button', class: 'button', 'data-key': 'retry', onclick: intents.retry },
      t('banner.retry'),
    ),
  );
}

/** @param {Element} host @param {Intents} intents */
export const mountBanner = (host, intents) =>
  region(host, bannerSlice, (slice) => drawBanner(slice, intents));

/**
 * Why it will not come back, and what can be tried all the same.
 * @typedef {{key: string, again?: {key: string, how: 'retry'|'reload'}}} Ending
 */

/** @type {Record<number, Ending>} */
const ENDINGS = {
  [CLOSE.END]: { key: 'end.closed' },
  [CLOSE.FORBIDDEN]: { key: 'end.forbidden' },
  [CLOSE.NO_ROOM]: { key: 'end.no_room' },
  [CLOSE.REPLACED]: { key: 'end.replaced', again: { key: 'end.replaced.do', how: 'retry' } },
  [CLOSE.REMOVED]: { key: 'end.removed' },
  [CLOSE.PROTOCOL]: { key: 'end.protocol', again: { key: 'end.reload', how: 'reload' } },
};

/** Where a watcher is told something else. @type {Record<number, Ending>} */
const WATCH_ENDINGS = {
  ...ENDINGS,
  [CLOSE.FORBIDDEN]: { key: 'end.unwatched' },
  [CLOSE.OVERLOAD]: { key: 'end.crowded', again: { key: 'end.reload', how: 'retry' } },
};

/** @param {State} state */
function endSlice({ conn, left, mode }) {
  if (conn.status !== 'ended' || left) return null;
  const endings = mode === 'watch' ? WATCH_ENDINGS : ENDINGS;
  return endings[conn.code] ?? ENDINGS[CLOSE.END];
}

/** @param {ReturnType<typeof endSlice>} ending @param {Intents} intents */
function drawEnd(ending, intents) {
  if (!ending) return null;
  const { key, again } = ending;
  const ways = { retry: intents.retry, reload: () => location.reload() };
  return h(
    'div',
    { class: 'veil' },
    h(
      'div',
      { class: 'dialog', role: 'alertdialog', 'aria-modal': 'true', 'data-testid': 'ended', 'data-why': key },
      h('p', { class: 'lead' }, t(key)),
      h(
        'footer',
        {},
        h('button', { type: 'button', class: 'button', onclick: intents.toLobby }, t('end.to_lobby')),
        again &&
          h('button', { type: 'button', class: 'button primary', onclick: ways[again.how] }, t(again.key)),
      ),
    ),
  );
}

/** @param {Element} host @param {Intents} intents */
export const mountEnd = (host, intents) => region(host, endSlice, (ending) => drawEnd(ending, intents));
