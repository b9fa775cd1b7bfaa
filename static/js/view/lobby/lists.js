// @ts-check
/** Tables with a free seat, my last rounds, and the best of the week. */
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

/** @param {OpenRoom} room @param {boolean} busy @param {LobbyIntents} intents */
const drawRoom = (room, busy, intents) =>
  h(
    'li',
    {},
    h(
      'span',
      {},
      room.host ? t('lobby.room.host', { name: room.host.name, rank: room.host.rank }) : room.tier_name,
      h('small', {}, t('lobby.room.base', { tier: room.tier_name, base: room.base })),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'button primary',
        'data-testid': 'join-room',
        'data-room': room.id,
        'data-key': `room-${room.id}`,
        disabled: busy,
        onclick: () => intents.joinRoom(room.id),
      },
      t('lobby.join'),
    ),
  );

/** @param {Pick<LobbyState, 'rooms'|'roomsFailed'|'busy'>} slice @param {LobbyIntents} intents */
const drawRooms = ({ rooms, roomsFailed, busy }, intents) =>
  listState(rooms, roomsFailed, intents.loadRooms, t('lobby.rooms.empty')) ??
  h(
    'ul',
    { class: 'open-rooms' },
    (rooms ?? []).map((room) => drawRoom(room, busy, intents)),
  );

/** @param {Pick<LobbyState, 'played'|'playedFailed'>} slice @param {LobbyIntents} intents */
const drawPlayed = ({ played, playedFailed }, intents) =>
  listState(played, playedFailed, intents.loadPlayed, t('played.empty')) ?? playedList(played ?? []);

/** @param {'rooms'|'played'} name @param {string} chosen @param {LobbyIntents} intents */
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

/** @typedef {Pick<LobbyState, 'list'|'rooms'|'roomsFailed'|'played'|'playedFailed'|'busy'>} ListSlice */

/** @param {ListSlice} slice @param {LobbyIntents} intents */
export const drawLists = (slice, intents) =>
  h(
    'section',
    { class: 'panel rooms-panel' },
    h(
      'div',
      { class: 'list-tabs', role: 'tablist', 'aria-label': t('lobby.lists') },
      listTab('rooms', slice.list, intents),
      listTab('played', slice.list, intents),
      h(
        'button',
        {
          type: 'button',
          class: 'refresh',
          'data-key': 'refresh',
          'aria-label': t('lobby.rooms.refresh'),
          onclick: slice.list === 'rooms' ? intents.loadRooms : intents.loadPlayed,
        },
        icon('refresh'),
      ),
    ),
    h(
      'div',
      { class: 'rooms-host', role: 'tabpanel' },
      slice.list === 'rooms' ? drawRooms(slice, intents) : drawPlayed(slice, intents),
    ),
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
