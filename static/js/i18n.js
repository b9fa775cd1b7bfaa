// @ts-check
/** The message catalogue in use. One language for now; the others are further files of the same keys. */
import zhHant from './messages/zh-Hant.js';

/** @type {Record<string, string>} */
const catalogue = zhHant;

export const LANGUAGE = 'zh-Hant';

const NUMBER = new Intl.NumberFormat('en-US');

/** Coins and points with thousands separators. @param {number} value */
export const formatNumber = (value) => NUMBER.format(value);

/** With its sign, never by colour alone: `+9,880`, `−520`, `0`. @param {number} value */
export function formatSigned(value) {
  if (value === 0) return '0';
  return `${value > 0 ? '+' : '−'}${formatNumber(Math.abs(value))}`;
}

/**
 * The text under `key`, `{name}` filled from `params`; numbers get separators.
 * @param {string} key
 * @param {Record<string, string|number>} [params]
 */
export function t(key, params = {}) {
  const text = catalogue[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? formatNumber(value) : value;
  });
}

/** @param {string} key */
export const hasText = (key) => key in catalogue;

const MOMENT = new Intl.DateTimeFormat(LANGUAGE, {
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

/** Day and time of a moment, in the reader's zone. @param {number} ms */
export const formatMoment = (ms) => MOMENT.format(new Date(ms));

const DAY = new Intl.DateTimeFormat(LANGUAGE, { month: 'numeric', day: 'numeric', timeZone: 'UTC' });

/** A day as the server names it, `2026-11-29`. @param {string} day */
export const formatDay = (day) => DAY.format(new Date(`${day}T00:00:00Z`));

/** Minutes and seconds: `0:07`, `12:30`. @param {number} ms */
export function formatElapsed(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @param {number} basisPoints */
export const formatRate = (basisPoints) => `${basisPoints / 100}%`;
