// @ts-check
/** Tables with a free seat, tables to watch, my last rounds, and the best of the week. */
import { t } from '../../i18n.js';
import { cls, h } from '../dom.js';
import { icon } from '../icons.js';
import { listState } from '../lists.js';
import { placeRow } from '../places.js';
import { playedList } from '../played.js';

/**
 * @typedef {import('../../lobby.js').LobbyState} LobbyState
 * @typedef {import('../../lobby.js').LobbyIntents} LobbyIntents
 * @typedef {import('../../lobby.js').OpenRoom} OpenRoom
 */

/** @param {OpenRoom} room @param {string} who @param {'join'|'watch'} way @param {boolean} enabled @param {() => void} onclick */
const drawRoom = (room, who, way, enabled, onclick) =>
  h(
    'li',
    {},
    h('span', {}, who, h('small', {}, t('lobby.room.base', { tier: room.tier_name, base: room.base }))),
    h(
      'button',
      {
        type: 'button',
        class: way === 'join' ? 'button primary' : 'button gold',
        'data-testid': `${way}-room`,
        'data-room': room.id,
        'data-key': `room-${room.id}`,
        disabled: !enabled,
        onclick,
      },
      t(`lobby.${way}`),
    ),
  );

/** @param {OpenRoom} room */
const hostWords = ({ host, tier_name: tier }) =>
  host ? t('lobby.room.host', { name: host.name, rank: host.rank }) : tier;

/** @param {OpenRoom} room */
const pairWords = ({ seats }) =>
  seats.map((sitter) => sitter?.name ?? t('plate.empty')).join(t('lobby.room.versus'));

/** @param {Pick<LobbyState, 'rooms'|'roomsFailed'|'busy'>} slice @param {LobbyIntents} intents */
const drawRooms = ({ rooms, roomsFailed, busy }, intents) =>
  listState(rooms, roomsFailed, intents.loadRooms, t('lobby.rooms.empty')) ??
  h(
    'ul',
    { class: 'open-rooms' },
    (rooms ?? []).map((room) =>
      drawRoom(room, hostWords(room), 'join', !busy, () => intents.joinRoom(room.id)),
    ),
  );

/** @param {Pick<LobbyState, 'watched'|'watchedFailed'>} slice @param {LobbyIntents} intents */
const drawWatched = ({ watched, watchedFailed }, intents) =>
  listState(watched, watchedFailed, intents.loadWatched, t('lobby.watched.empty')) ??
  h(
    'ul',
    { class: 'open-rooms' },
    (watched ?? []).map((room) =>
      drawRoom(room, pairWords(room), 'watch', true, () => intents.watch(room.id)),
    ),
  );

/** @param {Pick<LobbyState, 'played'|'playedFailed'>} slice @param {LobbyIntents} intents */
const drawPlayed = ({ played, playedFailed }, intents) =>
  listState(played, playedFailed, intents.loadPlayed, t('played.empty')) ?? playedList(played ?? []);

/** @param {import('../../lobby.js').List} name @param {string} chosen @param {LobbyIntents} intents */
const listTab = (name, chosen, intents) =>
  h(
    'button',
    {
      type: 'button',
      role: 'tab',
      class: cls('list-tab', name === chosen && 'on'),
      'aria-selected': String(name === chosen),
      tabindex: name === chosen ? 0 : -1,
      'data-list': name,
      'data-key': `list-${name}`,
      onclick: () => intents.chooseList(name),
    },
    t(`lobby.${name}`),
  );

/**
 * @typedef {Pick<LobbyState, 'list'|'rooms'|'roomsFailed'|'watched'|'watchedFailed'|'played'|'playedFailed'|'busy'>} ListSlice
 */

/** @type {import('../../lobby.js').List[]} */
const LISTS = ['rooms', 'watched', 'played'];

/** How each list is drawn, and asked for again. @param {ListSlice} slice @param {LobbyIntents} intents */
const listOf = (slice, intents) =>
  ({
    rooms: { draw: drawRooms, load: intents.loadRooms },
    watched: { draw: drawWatched, load: intents.loadWatched },
    played: { draw: drawPlayed, load: intents.loadPlayed },
  })[slice.list];

/** @param {ListSlice} slice @param {LobbyIntents} intents */
export const drawLists = (slice, intents) =>
  h(
    'section',
    { class: 'panel rooms-panel' },
    h(
      'div',
      { class: 'list-tabs', role: 'tablist', 'aria-label': t('lobby.lists') },
      LISTS.map((name) => listTab(name, slice.list, intents)),
      h(
        'button',
        {
          type: 'button',
          class: 'refresh',
          'data-key': 'refresh',
          'aria-label': t('lobby.rooms.refresh'),
          onclick: listOf(slice, intents).load,
        },
        icon('refresh'),
      ),
    ),
    h('div', { class: 'rooms-host', role: 'tabpanel' }, listOf(slice, intents).draw(slice, intents)),
  );

/** @typedef {{board: LobbyState['board'], failed: boolean, own: string}} BoardSlice */

/** The top of the week; one's own row below when it is not among them. @param {BoardSlice} slice @param {LobbyIntents} intents */
function drawTop({ board, failed, own }, intents) {
  const state = listState(board?.items ?? null, failed, intents.loadBoard, t('board.empty'));
  if (state || !board) return state;
  const { items, me } = board;
  const options = { own, signed: true };
  const isAmong = items.some((place) => place.player.id === own);
  return [
    h(
      'ol',
      { class: 'places' },
      items.map((place) => placeRow(place, options)),
    ),
    me && !isAmong && placeRow(me, { ...options, tag: 'div' }),
  ];
}

/** @param {BoardSlice} slice @param {LobbyIntents} intents */
export const drawBoard = (slice, intents) => [
  h('h2', {}, h('a', { href: '/leaderboard' }, t('nav.leaderboard')), h('small', {}, t('board.week'))),
  drawTop(slice, intents),
];
