// @ts-check
/**
 * Names and shapes of `erma.v1`: what docs/PROTOCOL.md says, as types.
 *
 * @typedef {string} Tile  text of one tile: `5m`, `1z`, `3f`
 * @typedef {{id: string, name: string}} User
 * @typedef {{
 *   user: User, coins: number, points: number, rank: string, online: boolean, auto: boolean
 * }} Seat
 * @typedef {{type: string, tiles: Tile[]|null, claimed: Tile|null}} Meld
 * @typedef {{tile: Tile, from_draw: boolean, claimed: boolean, ready: boolean}} DiscardedTile
 * @typedef {{
 *   count: number, tiles: Tile[]|null, drawn: Tile|null, melds: Meld[], flowers: Tile[],
 *   discards: DiscardedTile[], ready: null|'ready'|'heavenly'
 * }} Hand
 * @typedef {{id: string, zh: string, value: number, count: number}} Fan
 * @typedef {{
 *   won?: any, exhausted?: true, forfeited?: any, voided?: any, settled?: any, revealed?: any
 * }} Result
 * @typedef {{
 *   id: string, number: number, commitment: string, shuffle: string, base: number,
 *   dealer: number, prevalent: Tile, seat_winds: Tile[],
 *   phase: string, turn: number|null, offer: string|null, dice: number[]|null, wall: number|null,
 *   openers: number[], doublers: number[], multiplier: number, hands: Hand[],
 *   last: {seat: number, tile: Tile, kind: 'discard'|'kong'}|null, result: Result|null
 * }} Round
 * @typedef {{
 *   id: string, tier: string, tier_name: string, ruleset: string, base: number,
 *   private: boolean, practice: boolean, spectators: boolean, paused: string|null, phase: string
 * }} Room
 * @typedef {{room: Room, you: number|null, seats: (Seat|null)[], round: Round|null}} View
 * @typedef {{
 *   o: string, kind: string, tile?: Tile, tiles?: Tile[], how?: string, total?: number, fans?: Fan[]
 * }} Option
 * @typedef {{wait: Tile, unseen: number, by_discard: number, self_drawn: number}} Wait
 * @typedef {{discard: Tile, waits: Wait[]}} Hint
 * @typedef {{
 *   dp: number, seat: number, q: string, opts: Option[], base_ms: number, bank_ms: number,
 *   deadline_ms: number, hints?: Hint[],
 *   round_id?: string, base?: number, shuffle?: string, commitment?: string
 * }} Ask
 * @typedef {{seq: number, k: string, d: any, t: number}} RoomEvent
 * @typedef {{name: string, points: number}} Rank
 * @typedef {{
 *   id: string, zh: string, tiles: number, flowers: boolean, escape_factor: number, escape_points: number, ranks: Rank[],
 *   multipliers: {open_hand: number, double: number, ready: number}
 * }} RuleBook what the pages read of it
 * @typedef {{
 *   id: string, name: string, ruleset: string, ruleset_name: string, tiles: number, base: number,
 *   entry_min: number, entry_max: number|null, rake_bp: number, open: boolean, online: number
 * }} Tier
 * @typedef {{
 *   id: string, name: string, coins: number, points: number, rank: string, next_rank: Rank|null, guest: boolean,
 *   registered: boolean
 * }} Player
 * @typedef {'viewer'|'operator'|'owner'} Role
 * @typedef {{user: Player, role: Role|null, room_id: string|null, daily: boolean}} Me
 * @typedef {{
 *   rounds: number, wins: number, draws: number, losses: number, escapes: number, deserted: number,
 *   best_fan: number, dealt_in: number
 * } & Player} Career
 * @typedef {{at_ms: number, points: number}} PointsAt
 * @typedef {{
 *   id: string, tier: string, tier_name: string, base: number, opponent: User, outcome: string,
 *   total_fan: number, multiplier: number, fans: string[], coins_delta: number, points_delta: number,
 *   at_ms: number
 * }} Played
 * @typedef {{rank: number, value: number, player: {id: string, name: string, rank: string}}} Place
 * @typedef {{status: 'none'|'waiting'|'matched', tier?: string, room_id?: string, waited_ms?: number}} Match
 * @typedef {'play'|'watch'} Purpose what one comes to a table for
 * @typedef {{phrase: string}|{text: string}} Words what is said at a table
 */

export const SUBPROTOCOL = 'erma.v1';

/** @param {User} user */
export const isComputer = ({ id }) => id === 'computer';

/** Close codes the client acts upon. */
export const CLOSE = Object.freeze({
  END: 1000,
  OVERLOAD: 1013,
  TICKET: 4401,
  FORBIDDEN: 4403,
  NO_ROOM: 4404,
  REPLACED: 4409,
  REMOVED: 4410,
  PROTOCOL: 4426,
});

/** After these the server would only say the same again. @type {Set<number>} */
const FINAL_CODES = new Set([
  CLOSE.END,
  CLOSE.FORBIDDEN,
  CLOSE.NO_ROOM,
  CLOSE.REPLACED,
  CLOSE.REMOVED,
  CLOSE.PROTOCOL,
]);

/** Who watches is not needed at the table: when it is full he is told so, and tries again himself. @param {number} code @param {Purpose} purpose */
export const isFinalClose = (code, purpose) =>
  FINAL_CODES.has(code) || (purpose === 'watch' && code === CLOSE.OVERLOAD);

/** `n` random bytes as lower-case hex. @param {number} n */
export function randomHex(n) {
  const bytes = crypto.getRandomValues(new Uint8Array(n));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A message id, unique for the seat for ever. */
export const newId = () => randomHex(16);

/**
 * @param {number} dp
 * @param {Option} option
 */
export function actMessage(dp, option) {
  const message = { m: 'act', id: newId(), dp, o: option.o };
  return option.kind === 'confirm' ? { ...message, entropy: randomHex(32) } : message;
}

/** @param {boolean} on */
export const autoMessage = (on) => ({ m: 'auto', id: newId(), on });

/** Leaving as the player first asks for it: the server names the penalty, if there is one. */
export const leaveMessage = () => ({ m: 'leave', id: newId() });

/** @param {number} penalty the penalty that was shown, in coins */
export const forcedLeaveMessage = (penalty) => ({
  m: 'leave',
  id: newId(),
  force: true,
  penalty_seen: penalty,
});

/** What players may say to each other. */
export const PHRASES = ['hello', 'luck', 'hurry', 'wait', 'nice', 'sorry', 'thanks', 'bye'];

/** How long a text may be, in characters. */
export const TEXT_LENGTH = 60;

/** @param {Words} words */
export const sayMessage = (words) => ({ m: 'say', ...words });

export const syncMessage = () => ({ m: 'sync' });
