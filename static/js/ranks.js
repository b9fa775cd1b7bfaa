// @ts-check
/** The titles and the points they begin at, lowest first. Source: the rule book, 實力積分. */
export const RANKS = Object.freeze([
  { name: '雀蛋', points: 0 },
  { name: '雀仔', points: 400 },
  { name: '麻雀', points: 800 },
  { name: '雀頭', points: 1_500 },
  { name: '銅雀', points: 3_000 },
  { name: '銀雀', points: 8_000 },
  { name: '金雀', points: 12_000 },
  { name: '雀王', points: 20_000 },
  { name: '雀霸', points: 30_000 },
  { name: '雀皇', points: 45_000 },
  { name: '雀妖', points: 70_000 },
  { name: '雀仙', points: 100_000 },
  { name: '雀魔', points: 200_000 },
  { name: '雀聖', points: 500_000 },
  { name: '雀神', points: 1_000_000 },
  { name: '自摸王', points: 2_000_000 },
]);

/**
 * How far `points` are on the way from the title held to the next one.
 * @param {number} points
 * @returns {{name: string, next: {name: string, points: number}|null, share: number}} share 0–1
 */
export function rankProgress(points) {
  const at = RANKS.findLastIndex((rank) => points >= rank.points);
  const rank = RANKS[Math.max(at, 0)];
  const next = RANKS[Math.max(at, 0) + 1] ?? null;
  const share = next ? (points - rank.points) / (next.points - rank.points) : 1;
  return { name: rank.name, next, share };
}
