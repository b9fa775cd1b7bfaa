// @ts-check
/**
 * What boards there are: what is measured, and over how long.
 *
 * @typedef {'points'|'coins'|'wins'} By
 * @typedef {'all'|'week'|'day'} Period
 */

/** @type {By[]} */
export const MEASURES = ['points', 'coins', 'wins'];

/** @type {Period[]} */
export const PERIODS = ['all', 'week', 'day'];
