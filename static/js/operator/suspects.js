// @ts-check
/** 可疑: pairs that always end the same way, who leaves what has hardly begun, and who gains from his neighbour. */
import { formatNumber, t } from '../i18n.js';
import { h } from '../view/dom.js';
import { empty, playerLink } from '../view/lists.js';
import * as house from './house.js';
import { keepLoaded, table } from './parts.js';

/** @param {string} name @param {any[]} rows @param {string[]} head @param {(row: any) => any[]} cells */
const list = (name, rows, head, cells) => [
  h('h2', {}, t(`op.suspects.${name}`)),
  rows.length ? table(head, rows.map(cells), name) : empty(t(`op.suspects.${name}.empty`)),
];

/** @param {HTMLElement} host */
export function show(host) {
  keepLoaded(host, house.fetchSuspects, ({ pairs, fleers, neighbours }) => [
    h('p', { class: 'op-note' }, t('op.suspects.note')),
    list('pairs', pairs, ['winner', 'loser', 'decided', 'coins'].map((name) => t(`op.suspects.${name}`)), (pair) => [
      playerLink(pair.winner),
      playerLink(pair.loser),
      formatNumber(pair.decided),
      formatNumber(pair.coins),
    ]),
    list('fleers', fleers, [t('op.player'), t('op.suspects.escapes')], (fleer) => [
      playerLink(fleer.player),
      formatNumber(fleer.escapes),
    ]),
    list('neighbours', neighbours, ['winner', 'loser', 'days', 'coins'].map((name) => t(`op.suspects.${name}`)), (pair) => [
      playerLink(pair.winner),
      playerLink(pair.loser),
      formatNumber(pair.days),
      formatNumber(pair.coins),
    ]),
  ]);
}
