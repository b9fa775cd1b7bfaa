// @ts-check
/** Rounds one has played, each a link to its record. */
import { formatMoment, formatSigned, t } from '../i18n.js';
import { h } from './dom.js';

/** @typedef {import('../protocol.js').Played} Played */

/** @param {Played} round */
function how({ outcome, fans, total_fan: total }) {
  const words = t(`played.${outcome}`);
  if (total === 0) return words;
  return t('played.fans', { outcome: words, fan: fans[0] ?? '', n: total });
}

/** @param {number} delta */
const tone = (delta) => (delta > 0 ? 'up' : delta < 0 ? 'down' : '');

/** @param {Played} round */
const drawRound = (round) =>
  h(
    'li',
    {},
    h(
      'a',
      { href: `/replay/${encodeURIComponent(round.id)}`, 'data-round': round.id },
      h(
        'span',
        {},
        t('played.against', { tier: round.tier_name, name: round.opponent.name }),
        h('small', {}, how(round), ' · ', formatMoment(round.at_ms)),
      ),
      h('b', { class: tone(round.coins_delta) }, formatSigned(round.coins_delta)),
    ),
  );

/** @param {Played[]} rounds */
export const playedList = (rounds) => h('ul', { class: 'played' }, rounds.map(drawRound));
