// @ts-check
/** Who a player is: title, numbers, rounds. */
import { formatNumber, t } from '../i18n.js';
import { pointsChart } from './chart.js';
import { coinsView } from './coins.js';
import { h, region } from './dom.js';
import { framed } from './frame.js';
import { bird } from './icons.js';
import { failed, listState } from './lists.js';
import { figures, standing } from './lobby/me.js';
import { playedList } from './played.js';

/** @typedef {import('../player.js').ProfileState} ProfileState */

/** @type {('wins'|'losses'|'draws'|'escapes'|'deserted')[]} */
const ENDINGS = ['wins', 'losses', 'draws', 'escapes', 'deserted'];

/** @param {number} part @param {number} whole */
const share = (part, whole) => (whole ? `${Math.round((part / whole) * 100)}%` : '–');

/** How often rounds were drawn, and lost by a tile of one's own. @param {ProfileState['career']} career */
const rates = ({ rounds, draws, dealt_in: dealtIn }) =>
  h(
    'dl',
    { class: 'endings rates', 'aria-label': t('player.figures'), 'data-testid': 'rates' },
    [
      ['drawn', draws],
      ['dealt_in', dealtIn],
    ].map(([name, number]) =>
      h('div', {}, h('dt', {}, t(`player.${name}_rate`)), h('dd', {}, share(Number(number), rounds))),
    ),
  );

/** @param {Pick<ProfileState, 'points'|'best'>} slice */
const drawCourse = ({ points, best }) =>
  points &&
  best && [
    h('section', { class: 'panel' }, h('h2', {}, t('points.title')), pointsChart(points)),
    h(
      'section',
      { class: 'panel', 'data-testid': 'best' },
      h('h2', {}, t('best.title')),
      best.length ? playedList(best) : h('p', { class: 'empty' }, t('best.empty')),
    ),
  ];

/** @param {Pick<ProfileState, 'career'|'ranks'|'isOwn'>} slice */
const drawWho = ({ career, ranks, isOwn }) =>
  h(
    'section',
    { class: 'panel me' },
    h(
      'div',
      { class: 'face' },
      bird(isOwn ? 'own' : 'theirs'),
      h('h1', { 'data-testid': 'player-name' }, career.name),
      h(
        'span',
        { class: 'holds' },
        coinsView(career.coins),
        career.guest && h('small', {}, t('player.guest')),
      ),
    ),
    standing(career, ranks),
    figures(career),
    h(
      'dl',
      { class: 'endings', 'aria-label': t('player.figures') },
      ENDINGS.map((name) =>
        h('div', {}, h('dt', {}, t(`player.${name}`)), h('dd', {}, formatNumber(career[name]))),
      ),
    ),
    rates(career),
  );

/** @param {Pick<ProfileState, 'played'|'next'|'failed'|'busy'>} slice @param {{more: () => void}} intents */
function drawRounds({ played, next, failed: isFailed, busy }, { more }) {
  const instead = listState(played, isFailed, more, t('played.empty'));
  if (instead || !played) return instead;
  return [
    playedList(played),
    isFailed && failed(more),
    next &&
      !isFailed &&
      h(
        'button',
        {
          type: 'button',
          class: 'button framed more',
          'data-testid': 'more',
          'data-key': 'more',
          disabled: busy,
          onclick: more,
        },
        t('board.more'),
      ),
  ];
}

/** @param {HTMLElement} body @param {{more: () => void}} intents */
export function mountProfile(body, intents) {
  const who = h('div', {});
  const course = h('div', { class: 'course' });
  const rounds = h('div', { 'data-testid': 'rounds' });
  const main = h(
    'main',
    { class: 'column-page' },
    who,
    course,
    h('section', { class: 'panel' }, h('h2', {}, t('played.title')), rounds),
  );
  body.append(framed('', 'profile-page', main));
  const updates = [
    region(
      who,
      (/** @type {ProfileState} */ { career, ranks, isOwn }) => ({ career, ranks, isOwn }),
      drawWho,
    ),
    region(course, (/** @type {ProfileState} */ { points, best }) => ({ points, best }), drawCourse),
    region(
      rounds,
      (/** @type {ProfileState} */ { played, next, failed, busy }) => ({ played, next, failed, busy }),
      (slice) => drawRounds(slice, intents),
    ),
  ];
  return (/** @type {ProfileState} */ state) => updates.forEach((update) => update(state));
}
