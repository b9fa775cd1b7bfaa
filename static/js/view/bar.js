// @ts-check
import { formatNumber, t } from '../i18n.js';
import { h, region } from './dom.js';
import { icon } from './icons.js';
import { ownSeat } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 */

/** @param {State} state */
function barSlice(state) {
  const { room = null, round = null } = state.view ?? {};
  const seat = state.view?.you === null ? null : (state.view?.seats[ownSeat(state)] ?? null);
  return {
    room: room && { name: room.tier_name, base: room.base, practice: room.practice },
    book: state.book && { tiles: state.book.tiles, flowers: state.book.flowers },
    number: round?.number ?? null,
    status: state.conn.status,
    watching: state.mode === 'watch',
    auto: seat ? seat.auto : null,
    sound: state.settings?.effects ?? true,
    chat: state.muted ? 'bar.chat.muted' : 'bar.chat',
  };
}

/** @param {NonNullable<ReturnType<typeof barSlice>['room']>} room @param {ReturnType<typeof barSlice>['book']} book @param {number|null} number */
const drawMeta = (room, book, number) =>
  h(
    'div',
    { class: 'meta' },
    h('span', {}, t('bar.base'), ' ', h('b', {}, formatNumber(room.base))),
    number !== null &&
      h('span', {}, t('bar.round.before'), ' ', h('b', {}, String(number)), ' ', t('bar.round.after')),
    book &&
      h(
        'span',
        { class: 'wide' },
        t('bar.tiles', { n: book.tiles, flowers: t(book.flowers ? 'bar.flowers' : 'bar.no_flowers') }),
      ),
  );

/** @param {string} name @param {string} label @param {() => void} onclick @param {Record<string, any>} [more] */
const tool = (name, label, onclick, more = {}) =>
  h(
    'button',
    {
      type: 'button',
      class: 'tool',
      'aria-label': label,
      'data-act': name,
      'data-key': `bar-${name}`,
      onclick,
      ...more,
    },
    icon(more.icon ?? name),
    more.text && h('span', { class: 'text' }, more.text),
  );

/** @param {ReturnType<typeof barSlice>} slice @param {Intents} intents */
function drawBar({ room, book, number, status, watching, auto, sound, chat }, intents) {
  return [
    tool('leave', t('bar.leave'), intents.leave, { icon: 'back', class: 'tool leave' }),
    h('h1', { class: 'room-name' }, room?.name ?? t('app.title')),
    room && drawMeta(room, book, number),
    room?.practice && h('span', { class: 'sign practice', 'data-testid': 'practice' }, t('bar.practice')),
    h('span', { class: 'spring' }),
    watching && h('span', { class: 'sign' }, t('bar.watching')),
    h('span', { class: `net ${status}`, role: 'status' }, t(`net.${status}`)),
    tool('sound', t(sound ? 'sound.on' : 'sound.off'), intents.toggleSound, {
      icon: sound ? 'sound' : 'silent',
      class: 'tool sound',
      text: t('bar.sound'),
      'aria-pressed': String(sound),
    }),
    auto !== null && tool('chat', t(chat), intents.openChat, { text: t(chat) }),
    auto !== null &&
      tool('auto', t('bar.auto'), () => intents.auto(!auto), {
        text: t('bar.auto'),
        'aria-pressed': String(auto),
      }),
    tool('menu', t('bar.menu'), intents.openMenu),
  ];
}

/** @param {Element} host @param {Intents} intents */
export const mountBar = (host, intents) => region(host, barSlice, (slice) => drawBar(slice, intents));
