// @ts-check
/** The message catalogue in use. One language for now; the others are further files of the same keys. */
import zhHant from './messages/zh-Hant.js';

/** @type {Record<string, string>} */
const catalogue = zhHant;

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
