// @ts-check
/** Tile text as the table sorts and speaks it. */
import { t } from './i18n.js';

const ORDER = new Map(
  ['m', 'z', 'f'].flatMap((suit, group) =>
    Array.from({ length: 9 }, (_, rank) => [`${rank + 1}${suit}`, group * 10 + rank]),
  ),
);

/**
 * A sorted copy: 萬, then honours, then flowers.
 * @param {readonly string[]} tiles
 */
export const sortTiles = (tiles) => [...tiles].sort((a, b) => (ORDER.get(a) ?? 99) - (ORDER.get(b) ?? 99));

/** A copy without one tile of that text. @param {readonly string[]} tiles @param {string} tile */
export function withoutTile(tiles, tile) {
  const at = tiles.indexOf(tile);
  return at < 0 ? [...tiles] : [...tiles.slice(0, at), ...tiles.slice(at + 1)];
}

/** @param {string} tile */
export const tileName = (tile) => t(`tile.${tile}`);

/** @param {readonly string[]} tiles */
export const tileNames = (tiles) => tiles.map(tileName).join(' ');
