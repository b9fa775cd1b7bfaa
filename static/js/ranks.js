// @ts-check
/** How far a player is on the way from the title held to the next one; the titles are the rule book's. */

/**
 * @param {readonly import('./protocol.js').Rank[]} ranks lowest first; empty until the rule book is here
 * @param {number} points
 * @returns {{next: import('./protocol.js').Rank|null, share: number}} share 0–1
 */
export function rankProgress(ranks, points) {
  const at = ranks.findLastIndex((rank) => points >= rank.points);
  if (at < 0) return { next: null, share: 0 };
  const next = ranks[at + 1] ?? null;
  const from = ranks[at].points;
  return { next, share: next ? (points - from) / (next.points - from) : 1 };
}
