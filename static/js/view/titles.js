// @ts-check
/** The sixteen titles and the points they take. */
import { formatNumber, t } from '../i18n.js';
import { h } from './dom.js';
import { openModal } from './modal.js';

/** @param {import('../protocol.js').Rank[]} ranks @param {string} own */
export const openTitles = (ranks, own) =>
  openModal(
    'titles',
    t('lobby.ranks'),
    h(
      'ol',
      { class: 'ranks' },
      [...ranks]
        .reverse()
        .map(({ name, points }) =>
          h(
            'li',
            { class: name === own ? 'own' : '', 'aria-current': name === own ? 'true' : null },
            h('b', {}, name),
            name === own && h('small', {}, t('lobby.ranks.own')),
            h('span', {}, formatNumber(points)),
          ),
        ),
    ),
  );
