// @ts-check
/** Calls about one's own account. Whoever gets a new token gets a new CSRF value with it. */
import { call, fetchMe } from './api.js';

/** @typedef {{created_ms: number, seen_on: string, current: boolean}} SessionLine */

/** A new player, or the guest who calls. @param {string} name @param {string} password */
export async function register(name, password) {
  await call('POST', '/api/register', { name, password });
  return fetchMe();
}

/** @param {string} name @param {string} password */
export async function login(name, password) {
  await call('POST', '/api/login', { name, password });
  return fetchMe();
}

/** @param {string} name */
export async function rename(name) {
  await call('POST', '/api/me/name', { name });
  return fetchMe();
}

/** @param {string} old @param {string} fresh */
export async function changePassword(old, fresh) {
  await call('POST', '/api/me/password', { old, new: fresh });
  return fetchMe();
}

/** @returns {Promise<{items: SessionLine[]}>} */
export const fetchSessions = () => call('GET', '/api/me/sessions');

export const logout = () => call('POST', '/api/logout');

export const logoutEverywhere = () => call('POST', '/api/logout-everywhere');

/** @param {string} [password] of who has one */
export const leaveForGood = (password) => call('DELETE', '/api/me', password === undefined ? {} : { password });
