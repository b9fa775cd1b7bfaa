// @ts-check
/** The operators' calls. Shapes: docs/PROTOCOL.md §2.8. */
import { call, segment, withQuery } from '../api.js';

const ADMIN = '/api/admin';

export const fetchTiers = () => call('GET', `${ADMIN}/tiers`);

/** @param {object} body */
export const createTier = (body) => call('POST', `${ADMIN}/tiers`, body);

/** @param {string} id @param {object} body */
export const changeTier = (id, body) => call('PATCH', `${ADMIN}/tiers/${segment(id)}`, body);

export const fetchRooms = () => call('GET', `${ADMIN}/rooms`);

/** @param {string} id */
export const fetchRoom = (id) => call('GET', `${ADMIN}/rooms/${segment(id)}`);

/** @param {string} id @param {object} body */
export const changeRoom = (id, body) => call('PATCH', `${ADMIN}/rooms/${segment(id)}`, body);

/** @param {string} id @param {'void'|'close'} what @param {object} body */
export const endRoom = (id, what, body) => call('POST', `${ADMIN}/rooms/${segment(id)}/${what}`, body);

/** @param {string} q @param {string|null} cursor */
export const searchPlayers = (q, cursor) => call('GET', withQuery(`${ADMIN}/players`, { q, cursor }));

/** @param {string} id */
export const fetchDossier = (id) => call('GET', `${ADMIN}/players/${segment(id)}`);

/** @param {string} id @param {'mute'|'unmute'|'ban'|'unban'|'role'} what @param {object} body */
export const treatPlayer = (id, what, body) => call('POST', `${ADMIN}/players/${segment(id)}/${what}`, body);

/** However often it is sent under one key, it happens once. @param {string} id @param {object} body @param {string} key */
export const adjust = (id, body, key) =>
  call('POST', `${ADMIN}/players/${segment(id)}/adjust`, body, { 'Idempotency-Key': key });

/** @param {number} days */
export const fetchIncome = (days) => call('GET', withQuery(`${ADMIN}/income`, { days }));

export const fetchSuspects = () => call('GET', `${ADMIN}/suspects`);

/** @param {{operator?: string, subject?: string, cursor?: string|null}} query */
export const fetchLog = (query) => call('GET', withQuery(`${ADMIN}/audit-log`, query));

export const proveLedger = () => call('GET', `${ADMIN}/ledger/audit`);
