// @ts-check
/** What the server's refusals say to the player. */
import { ApiError } from './api.js';
import { formatMoment, hasText, t } from './i18n.js';

/** @param {any} problem */
const isNameFault = (problem) => problem?.faults?.some((/** @type {any} */ fault) => fault.where?.includes('name'));

/** @param {ApiError} error @returns {{key: string, params: Record<string, string|number>}} */
function wordsOf({ code, problem }) {
  if (code === 'insufficient_coins' && problem?.short !== undefined) {
    const key = problem.short > 0 ? 'err.insufficient_coins.short' : 'err.insufficient_coins.rich';
    return { key, params: { n: problem.short } };
  }
  if (code === 'invalid' && isNameFault(problem)) return { key: 'err.invalid.name', params: {} };
  if (code === 'weak_password') return { key: `err.weak_password.${problem?.why}`, params: {} };
  const params = { below: problem?.below ?? '', again: problem?.again_ms ? formatMoment(problem.again_ms) : '' };
  return { key: `err.${code}`, params };
}

/** @param {unknown} error */
export function errorText(error) {
  if (!(error instanceof ApiError)) return t('err.internal');
  const { key, params } = wordsOf(error);
  return t(hasText(key) ? key : 'err.internal', params);
}

/** The room a player sits in already, when that is why. @param {unknown} error @returns {string|null} */
export const ownRoomOf = (error) =>
  error instanceof ApiError && error.code === 'in_other_room' ? (error.problem?.room_id ?? null) : null;
