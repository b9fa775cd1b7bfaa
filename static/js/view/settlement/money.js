// @ts-check
/** The coins of a round: what was reckoned, who paid, what is left. */
import { formatNumber, formatRate, formatSigned, t } from '../../i18n.js';
import { h } from '../dom.js';

/** @typedef {import('./slice.js').Slice} Slice */

/** @param {string} label @param {string} value @param {{note?: string, tone?: string}} [more] */
export const row = (label, value, { note = '', tone = '' } = {}) =>
  h('div', { class: 'row' }, h('span', {}, label, note && h('i', {}, note)), h('b', { class: tone }, value));

/** What the reader holds now; a watcher holds nothing here. @param {Slice} slice */
const balanceRow = ({ you, coins, result: { settled } }) =>
  you !== null && settled && row(t('settle.balance', { coins }), formatNumber(settled.coins.after[you]));

/** What the multiplier is made of. @param {Slice} slice */
function factorWords({ result, openers, doublers }) {
  const { open, double, ready } = result.settled.factors;
  const parts = [
    open > 1 && t(openers > 1 ? 'settle.factor.open.both' : 'settle.factor.open', { n: open }),
    double > 1 && t(doublers > 1 ? 'settle.factor.double.both' : 'settle.factor.double', { n: double }),
    ready > 1 && t('settle.factor.ready', { n: ready }),
  ];
  return parts.filter(Boolean).join(' · ') || t('settle.factor.none');
}

/** @param {Slice} slice @param {any} settled */
function drawFormula(slice, settled) {
  const product = settled.total * settled.base * settled.multiplier;
  return h(
    'div',
    { class: 'formula' },
    h('b', {}, formatNumber(settled.total)),
    t('settle.formula.fan'),
    h('b', {}, formatNumber(settled.base)),
    t('settle.formula.times'),
    h('b', {}, formatNumber(settled.multiplier)),
    t('settle.formula.equals'),
    h('b', {}, formatNumber(product)),
  );
}

/** @param {Slice} slice */
export function drawWinCoins(slice) {
  const { settled } = slice.result;
  const { names, coins } = slice;
  const winner = settled.winner;
  const loser = 1 - winner;
  return h(
    'section',
    { class: 'column' },
    h('h3', {}, coins, h('b', {}, t('hub.times', { n: settled.multiplier }))),
    drawFormula(slice, settled),
    settled.capped &&
      row(t('settle.capped'), formatNumber(settled.amount), { note: t('settle.capped.why', { coins }) }),
    row(t('settle.multiplier'), t('hub.times', { n: settled.multiplier }), { note: factorWords(slice) }),
    row(t('settle.pays', { name: names[loser] }), formatSigned(settled.deltas[loser]), { tone: 'down' }),
    row(t('settle.rake'), formatSigned(-settled.rake), {
      note: slice.rakeBp === null ? '' : formatRate(slice.rakeBp),
      tone: settled.rake ? 'down' : '',
    }),
    row(t('settle.nets', { name: names[winner] }), formatSigned(settled.deltas[winner]), { tone: 'up' }),
    balanceRow(slice),
  );
}

/** @param {Slice} slice */
export function drawForfeitCoins(slice) {
  const { result, names, coins, escapeFactor } = slice;
  const { settled, forfeited } = result;
  const escaper = forfeited.seat;
  return h(
    'section',
    { class: 'column whole' },
    h('h3', {}, t('settle.penalty'), h('b', { class: 'red' }, formatNumber(settled.amount))),
    escapeFactor !== null &&
      h('p', { class: 'why' }, t('settle.forfeit.why', { base: settled.base, n: escapeFactor, coins })),
    row(t('settle.pays', { name: names[escaper] }), formatSigned(settled.deltas[escaper]), { tone: 'down' }),
    row(t('settle.rake'), formatSigned(-settled.rake), { tone: settled.rake ? 'down' : '' }),
    row(t('settle.nets', { name: names[1 - escaper] }), formatSigned(settled.deltas[1 - escaper]), {
      tone: 'up',
    }),
    balanceRow(slice),
  );
}

/** @param {Slice} slice */
export function drawNothing(slice) {
  const { voided } = slice.result;
  const why = slice.outcome === 'void' && !slice.practice ? t('settle.void.why') : t('settle.nothing');
  return h(
    'section',
    { class: 'column whole' },
    h('p', { class: 'why' }, why),
    voided?.reason && h('p', { class: 'why' }, t('settle.void.reason', { reason: voided.reason })),
    balanceRow(slice),
  );
}
