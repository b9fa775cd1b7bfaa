// @ts-check
/** 牌桌: the running tables, and what an operator does to one. */
import { formatMoment, formatNumber, t } from '../i18n.js';
import { cls, h } from '../view/dom.js';
import { empty, playerLink } from '../view/lists.js';
import { openForm } from './form.js';
import * as house from './house.js';
import { button, keepLoaded, table } from './parts.js';
import { look } from './room-view.js';

/** @typedef {import('../operator.js').Desk} Desk */

const presentOf = (/** @type {any} */ room) => ({ base_stake: room.base, paused: room.paused });

/** @param {any} room @param {() => void} done */
const rebase = (room, done) =>
  openForm({
    name: 'rebase',
    title: t('op.room.rebase.title'),
    note: t('op.room.rebase.note'),
    fields: [{ name: 'base_stake', label: 'op.room.base', kind: 'number', value: room.base }],
    version: room.version,
    presentOf,
    send: (values) => house.changeRoom(room.id, values),
    done,
  });

/** The reason for the log is what the players are told. @param {any} room @param {() => void} done */
const pause = (room, done) =>
  openForm({
    name: 'pause',
    title: t('op.room.pause.title'),
    note: t('op.room.pause.note'),
    version: room.version,
    presentOf,
    send: (values) => house.changeRoom(room.id, { ...values, paused: values.reason }),
    done,
  });

/** @param {any} room @param {() => void} done */
const resume = (room, done) =>
  openForm({
    name: 'resume',
    title: t('op.room.resume.title'),
    version: room.version,
    presentOf,
    send: (values) => house.changeRoom(room.id, { ...values, paused: null }),
    done,
  });

/** @param {any} room @param {'void'|'close'} what @param {() => void} done */
const end = (room, what, done) =>
  openForm({
    name: what,
    title: t(`op.room.${what}`),
    note: t(`op.room.${what}.note`),
    send: (values) => house.endRoom(room.id, what, values),
    done,
  });

/** @param {any} room @param {Desk} desk @param {() => void} again */
function actions(room, desk, again) {
  const seeing = button('look', t('op.room.look'), () => look(room.id));
  if (!desk.may('operator')) return seeing;
  return h(
    'span',
    { class: 'op-actions' },
    seeing,
    button('rebase', t('op.room.rebase'), () => rebase(room, again)),
    room.paused === null
      ? button('pause', t('op.room.pause'), () => pause(room, again))
      : button('resume', t('op.room.resume'), () => resume(room, again)),
    room.phase === 'playing' && button('void', t('op.room.void'), () => end(room, 'void', again)),
    button('close', t('op.room.close'), () => end(room, 'close', again), { class: 'op-button danger' }),
  );
}

/** @param {any} sitting */
const seat = (sitting) =>
  h(
    'div',
    { class: cls('op-seat', sitting && !sitting.online && 'away') },
    sitting ? [playerLink(sitting), ' ', formatNumber(sitting.coins), !sitting.online && t('op.room.offline')] : t('op.room.free'),
  );

/** @param {any} room @param {Desk} desk @param {() => void} again */
const row = (room, desk, again) => [
  [h('b', {}, room.tier_name), h('small', {}, [room.private && t('op.room.private'), room.practice && t('op.room.practice'), room.ruleset].filter(Boolean).join(' · '))],
  room.seats.map(seat),
  formatNumber(room.base),
  [
    t(`op.room.phase.${room.phase}`),
    room.paused !== null && h('small', { class: 'op-paused' }, t('op.room.paused', { reason: room.paused })),
  ],
  room.round ? [t('op.room.round', { n: room.round }), h('small', {}, t('op.room.since', { when: formatMoment(room.round_ms) }))] : t('op.none'),
  formatMoment(room.opened_ms),
  formatNumber(room.watchers),
  actions(room, desk, again),
];

const HEAD = ['room', 'players', 'base', 'state', 'rounds', 'opened', 'watchers'];

/** @param {HTMLElement} host @param {Desk} desk */
export function show(host, desk) {
  keepLoaded(host, house.fetchRooms, ({ items }, again) => [
    button('reload', t('op.reload'), again),
    items.length
      ? table(
          [...HEAD.map((name) => t(`op.room.${name}`)), t('op.actions')],
          items.map((/** @type {any} */ room) => row(room, desk, again)),
          'rooms',
        )
      : empty(t('op.rooms.empty')),
  ]);
}
