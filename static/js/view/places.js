// @ts-check
/** Rows of a leaderboard. */
import { formatNumber, formatSigned, t } from '../i18n.js';
import { cls, h } from './dom.js';
import { playerLink } from './lists.js';

/** @typedef {import('../protocol.js').Place} Place */

/** What a place is worth: what a period brought is signed, what stands is not. @param {number} value @param {boolean} signed */
export const worth = (value, signed) => (signed ? formatSigned(value) : formatNumber(value));

/**
 * @param {Place} place
 * @param {{own: string, signed: boolean, tag?: 'li'|'div'}} options `own` the reader's id
 */
export const placeRow = ({ rank, value, player }, { own, signed, tag = 'li' }) =>
  h(
    tag,
    {
      class: cls('place', rank <= 3 && 'top', player.id === own && 'own'),
      'data-player': player.id,
      'aria-current': player.id === own ? 'true' : null,
    },
    h('span', { class: 'nth' }, formatNumber(rank)),
    h('span', { class: 'whose' }, playerLink(player), h('small', {}, player.rank)),
    player.id === own && h('small', { class: 'mine' }, t('board.you')),
    h('b', { class: cls('value', signed && value < 0 && 'down') }, worth(value, signed)),
  );
