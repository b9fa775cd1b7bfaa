// @ts-check
/** Coins: the players' own, or those of practice, which are worth nothing and say so. */
import { formatNumber, t } from '../i18n.js';
import { cls, h } from './dom.js';

/** @param {boolean} isPractice */
export const coinWord = (isPractice) => t(isPractice ? 'coins.practice' : 'coins.own');

/** @param {number} coins @param {boolean} [isPractice] */
export const coinsView = (coins, isPractice = false) =>
  h(
    'span',
    {
      class: cls('coins', isPractice && 'practice'),
      'aria-label': t('plate.coins', { coins: coinWord(isPractice), n: coins }),
    },
    formatNumber(coins),
    isPractice && h('small', {}, coinWord(true)),
  );
