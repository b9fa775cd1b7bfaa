// @ts-check
/** HTTP calls: same origin, session cookie, CSRF header, problem details as errors. */

export class ApiError extends Error {
  /** @param {number} status 0 when no answer came @param {string} code @param {any} [problem] */
  constructor(status, code, problem) {
    super(code);
    this.status = status;
    this.code = code;
    this.problem = problem;
  }
}

let csrf = '';

/** @param {Response} response */
async function readBody(response) {
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/**
 * Any call; the others here have names.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [more] headers
 */
export async function call(method, path, body, more = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json', ...more };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET' && csrf) headers['X-Erma-CSRF'] = csrf;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, 'offline');
  }
  const data = await readBody(response);
  if (!response.ok) throw new ApiError(response.status, data?.code ?? 'internal', data);
  return data;
}

/** @param {string} part */
export const segment = (part) => encodeURIComponent(part);

/** The signed-in player, or null. */
export async function fetchMe() {
  try {
    const me = await call('GET', '/api/me');
    csrf = me.csrf;
    return me;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** @param {string} name */
export async function signIn(name) {
  await call('POST', '/api/guest', { name });
  return fetchMe();
}

export const fetchTiers = () => call('GET', '/api/tiers');

/** Tables with a free seat, or those that may be watched. @param {'join'|'watch'} show */
export const fetchRooms = (show) => call('GET', withQuery('/api/rooms', { show }));

/** Coins for who has next to none. */
export const askDaily = () => call('POST', '/api/daily');

export const askRelief = () => call('POST', '/api/relief');

/** @param {string} tier */
export const enterMatch = (tier) => call('POST', '/api/match', { tier });

export const pollMatch = () => call('GET', '/api/match');

export const leaveMatch = () => call('DELETE', '/api/match');

/** Addresses with what is asked; members without a value are left out. @param {string} path @param {Record<string, any>} query */
export function withQuery(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `${path}?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}` : path;
}

/** @typedef {{by: string, period: string, limit?: number, cursor?: string|null}} BoardQuery */

/** @param {BoardQuery} query */
export const fetchBoard = (query) => call('GET', withQuery('/api/leaderboard', query));

/** @param {BoardQuery} query */
export const fetchAround = (query) => call('GET', withQuery('/api/leaderboard/around-me', query));

/** @param {string} id */
export const fetchPlayer = (id) => call('GET', `/api/players/${segment(id)}`);

/** @param {string} id @param {{limit?: number, cursor?: string|null}} query */
export const fetchPlayed = (id, query) => call('GET', withQuery(`/api/players/${segment(id)}/rounds`, query));

/** @param {string} id */
export const fetchPoints = (id) => call('GET', `/api/players/${segment(id)}/points`);

/** @param {string} id */
export const fetchBest = (id) => call('GET', `/api/players/${segment(id)}/best`);

/** @param {string} id */
export const fetchRecord = (id) => call('GET', `/api/rounds/${segment(id)}`);

/** @param {string} id */
export const fetchProof = (id) => call('GET', `/api/rounds/${segment(id)}/proof`);

export const fetchRuleSets = () => call('GET', '/api/rules');

/** What a won hand is worth. @param {string} ruleset @param {object} request */
export const score = (ruleset, request) => call('POST', `/api/rules/${segment(ruleset)}/score`, request);

/** @type {Map<string, Promise<any>>} */
const books = new Map();

/** The rule book of a rule set, asked for once. @param {string} ruleset @returns {Promise<import('./protocol.js').RuleBook>} */
export function fetchRuleBook(ruleset) {
  const book = books.get(ruleset) ?? call('GET', `/api/rules/${segment(ruleset)}`);
  books.set(ruleset, book);
  book.catch(() => books.delete(ruleset));
  return book;
}

/** @param {{tier: string, private?: boolean, bot?: boolean, spectators?: boolean}} body */
export const createRoom = (body) => call('POST', '/api/rooms', body);

/** @param {string} roomId @param {string|null} [invite] */
export const joinRoom = (roomId, invite) =>
  call('POST', `/api/rooms/${segment(roomId)}/join`, invite ? { invite } : {});

/** @param {string} invite */
export const fetchInvite = (invite) => call('GET', `/api/invites/${segment(invite)}`);

/** @param {string} roomId @param {import('./protocol.js').Purpose} purpose @param {string|null} [invite] */
export const fetchTicket = (roomId, purpose, invite) =>
  call('POST', '/api/ws-tickets', { room_id: roomId, purpose, ...(invite ? { invite } : {}) });
