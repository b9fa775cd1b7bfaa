// @ts-check
/** The codes of a record in words. */
import { hasText, t } from '../i18n.js';
import { tileName, tileNames } from '../tiles.js';

/** A chow is named by its lowest tile. @param {string} lowest */
function chowTiles(lowest) {
  const rank = Number(lowest[0]);
  return [0, 1, 2].map((step) => `${rank + step}${lowest[1]}`);
}

/**
 * What a seat did; nothing for passes and for what the clock did.
 * @param {string} code as in the record: `d5m`, `c3m`, `oh`
 * @param {string} name
 */
export function actionLine(code, name) {
  const [, kind = '', tile = ''] = /^([a-z]+)(\d[mzf])?$/.exec(code) ?? [];
  if (!hasText(`move.${kind}`)) return '';
  if (!tile) return t(`move.${kind}`, { name });
  return t(`move.${kind}`, { name, tile: tileName(tile), tiles: kind === 'c' ? tileNames(chowTiles(tile)) : '' });
}

/** @typedef {import('../protocol.js').Meld} Meld */

/** @type {Record<string, (tile: string) => Meld>} */
const LAID = {
  c: (tile) => ({ type: 'chow', tiles: chowTiles(tile), claimed: null }),
  p: (tile) => ({ type: 'pung', tiles: Array(3).fill(tile), claimed: tile }),
  k: (tile) => ({ type: 'exposed_kong', tiles: Array(4).fill(tile), claimed: tile }),
  q: (tile) => ({ type: 'concealed_kong', tiles: Array(4).fill(tile), claimed: null }),
};

/**
 * The sets a seat had laid down in the end. An added kong that was robbed stays the pung it was.
 * @param {[number, string][]} actions
 * @param {number} seat
 * @returns {Meld[]}
 */
export function meldsOf(actions, seat) {
  /** @type {Meld[]} */
  let melds = [];
  for (const [i, [who, code]] of actions.entries()) {
    if (who !== seat) continue;
    const tile = code.slice(1);
    const [next, answer] = actions[i + 1] ?? [];
    if (code[0] === 'a' && !(next === 1 - seat && answer === 'w')) {
      melds = melds.map((meld) =>
        meld.type === 'pung' && meld.claimed === tile
          ? { ...meld, type: 'added_kong', tiles: Array(4).fill(tile) }
          : meld,
      );
    } else if (tile.length === 2 && code[0] in LAID) melds.push(LAID[code[0]](tile));
  }
  return melds;
}
