// @ts-check
/** The shuffle proof recomputed here: what the server promised before the deal, from what it showed after it. */

/** @param {string} hex */
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * SHA-256 over secret, nonce and `version:round`.
 * @param {{secret: string, nonce: string, shuffle: string, round_id: string}} proof
 */
async function commitmentOf({ secret, nonce, shuffle, round_id: round }) {
  const parts = [bytesOf(secret), bytesOf(nonce), new TextEncoder().encode(`${shuffle}:${round}`)];
  const digest = await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer());
  return hexOf(new Uint8Array(digest));
}

/**
 * @param {{secret: string, nonce: string, shuffle: string, round_id: string, commitment: string}} proof
 * @returns {Promise<{verdict: 'kept'|'broken'|'unable', computed: string}>} unable where the page may not compute
 */
export async function checkProof(proof) {
  if (!crypto.subtle) return { verdict: 'unable', computed: '' };
  const computed = await commitmentOf(proof);
  return { verdict: computed === proof.commitment ? 'kept' : 'broken', computed };
}
