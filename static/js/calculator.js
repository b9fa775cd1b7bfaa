// @ts-check
/**
 * What the calculator holds, and how it changes: pure. It judges nothing; the server scores.
 *
 * @typedef {'chow'|'pung'|'exposed_kong'|'added_kong'|'concealed_kong'} MeldType
 * @typedef {'hand'|'win'|'flowers'|MeldType} Mode
 * @typedef {{type: MeldType, tiles: string[]}} SetDown
 * @typedef {{
 *   mode: Mode, hand: string[], melds: SetDown[], win: string|null, flowers: string[],
 *   flags: Record<string, boolean>, seat: string, prevalent: string, opening: string
 * }} Draft
 */
import { sortTiles, withoutTile } from './tiles.js';

/** @type {Mode[]} */
export const MODES = ['hand', 'win', 'chow', 'pung', 'exposed_kong', 'added_kong', 'concealed_kong', 'flowers'];
export const FLAGS = [
  'self_drawn',
  'ready',
  'heavenly_ready',
  'last_wall_tile',
  'kong_replacement',
  'robbing_kong',
  'last_of_kind',
];
export const OPENINGS = ['none', 'heavenly', 'earthly', 'humanly'];
export const WINDS = ['1z', '2z', '3z', '4z'];
const COPIES = 4;
const SETS = 4;
const HAND = 13;

/** @returns {Draft} */
export const emptyDraft = () => ({
  mode: 'hand',
  hand: [],
  melds: [],
  win: null,
  flowers: [],
  flags: {},
  seat: '2z',
  prevalent: '1z',
  opening: 'none',
});

/** The tiles of a meld begun at `tile`; a chow needs two more ranks above. @param {MeldType} type @param {string} tile */
function meldTiles(type, tile) {
  if (type !== 'chow') return Array.from({ length: type === 'pung' ? 3 : COPIES }, () => tile);
  const rank = Math.min(Number(tile[0]), 7);
  return [0, 1, 2].map((step) => `${rank + step}m`);
}

/** @param {Draft} draft */
export const allTiles = ({ hand, melds, win }) => [
  ...hand,
  ...melds.flatMap(({ tiles }) => tiles),
  ...(win ? [win] : []),
];

/** How many more hand tiles fit. @param {Draft} draft */
export const handRoom = ({ hand, melds }) => HAND - 3 * melds.length - hand.length;

/** @param {Draft} draft @param {string} tile */
const copiesOf = (draft, tile) => allTiles(draft).filter((other) => other === tile).length;

/** The tiles that pressing `tile` would put down. @param {Draft} draft @param {string} tile */
function putDown(draft, tile) {
  const { mode } = draft;
  return mode === 'hand' || mode === 'win' || mode === 'flowers' ? [tile] : meldTiles(mode, tile);
}

/** Whether pressing `tile` in this mode puts anything down. @param {Draft} draft @param {string} tile */
export function canAdd(draft, tile) {
  const { mode } = draft;
  if (tile.endsWith('f')) return mode === 'flowers' && !draft.flowers.includes(tile);
  if (mode === 'flowers') return false;
  if (mode === 'hand' && handRoom(draft) < 1) return false;
  const isMeld = mode !== 'hand' && mode !== 'win';
  if (isMeld && (draft.melds.length >= SETS || handRoom(draft) < 3)) return false;
  if (mode === 'chow' && !tile.endsWith('m')) return false;
  const base = mode === 'win' ? { ...draft, win: null } : draft;
  const added = putDown(draft, tile);
  return added.every((other) => copiesOf(base, other) + added.filter((t) => t === other).length <= COPIES);
}

/** @param {Draft} draft @param {string} tile @returns {Draft} */
export function add(draft, tile) {
  if (!canAdd(draft, tile)) return draft;
  const { mode } = draft;
  if (mode === 'hand') return { ...draft, hand: sortTiles([...draft.hand, tile]) };
  if (mode === 'win') return { ...draft, win: tile };
  if (mode === 'flowers') return { ...draft, flowers: sortTiles([...draft.flowers, tile]) };
  return { ...draft, melds: [...draft.melds, { type: mode, tiles: meldTiles(mode, tile) }] };
}

/** @param {Draft} draft @param {'hand'|'win'|'flowers'} from @param {string} tile @returns {Draft} */
export function removeTile(draft, from, tile) {
  if (from === 'win') return { ...draft, win: null };
  return { ...draft, [from]: withoutTile(draft[from], tile) };
}

/** @param {Draft} draft @param {number} at @returns {Draft} */
export const removeMeld = (draft, at) => ({ ...draft, melds: draft.melds.filter((_, i) => i !== at) });

/** Tiles of the compact form. @param {string} text */
export const spread = (text) =>
  [...text.matchAll(/(\d+)([mzf])/g)].flatMap(([, ranks, suit]) => [...ranks].map((rank) => rank + suit));

/** A draft from a request to score. @param {any} request @returns {Draft} */
export function draftOf(request) {
  return {
    ...emptyDraft(),
    hand: sortTiles(spread(request.hand)),
    melds: (request.melds ?? []).map((/** @type {any} */ meld) => ({ type: meld.type, tiles: spread(meld.tiles) })),
    win: request.win_tile,
    flowers: spread(request.flowers ?? ''),
    flags: Object.fromEntries(FLAGS.map((flag) => [flag, Boolean(request[flag])])),
    seat: request.seat_wind ?? '2z',
    prevalent: request.prevalent_wind ?? '1z',
    opening: request.opening ?? 'none',
  };
}

/** Whether there is enough to ask the server. @param {Draft} draft */
export const isComplete = (draft) => draft.win !== null && handRoom(draft) === 0;

/** The request to score. @param {Draft} draft */
export function requestOf({ hand, melds, win, flowers, flags, seat, prevalent, opening }) {
  return {
    hand: hand.join(''),
    melds: melds.map(({ type, tiles }) => ({ type, tiles: tiles.join('') })),
    win_tile: win,
    flowers: flowers.join(''),
    ...Object.fromEntries(FLAGS.map((flag) => [flag, flags[flag] ?? false])),
    seat_wind: seat,
    prevalent_wind: prevalent,
    opening: opening === 'none' ? null : opening,
  };
}
