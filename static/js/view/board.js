// @ts-check
/** The leaderboard: what is measured, over how long, who leads, where I am. */
import { MEASURES, PERIODS } from '../boards.js';
import { formatMoment, t } from '../i18n.js';
import { h, region } from './dom.js';
import { framed } from './frame.js';
import { failed, listState } from './lists.js';
import { placeRow } from './places.js';
import { segments } from './segments.js';

/**
 * @typedef {import('../leaderboard.js').BoardState} BoardState
 * @typedef {import('../leaderboard.js').BoardIntents} BoardIntents
 */

/** @param {Pick<BoardState, 'by'|'period'|'since'>} slice @param {BoardIntents} intents */
const drawChoices = ({ by, period, since }, intents) => [
  segments('by', t('board.by'), MEASURES, by, (option) => t(`board.by.${option}`), (option) => intents.choose({ by: option })),
  segments('period', t('board.period'), PERIODS, period, (option) => t(`board.${option}`), (option) => intents.choose({ period: option })),
  h(
    'p',
    { class: 'since' },
    since === null ? t('board.since.all') : t('board.since', { when: formatMoment(since) }),
  ),
];

/** Points and coins of a period are what it brought. @param {Pick<BoardState, 'by'|'period'>} state */
const isSigned = ({ by, period }) => by !== 'wins' && period !== 'all';

/** @param {BoardState} state @param {BoardIntents} intents */
function drawPlaces(state, intents) {
  const { places, own, next, busy } = state;
  const instead = listState(places, state.failed, intents.load, t('board.empty'));
  if (instead) return instead;
  const options = { own, signed: isSigned(state) };
  return [
    h(
      'ol',
      { class: 'places' },
      (places ?? []).map((place) => placeRow(place, options)),
    ),
    state.failed && failed(intents.more),
    next &&
      !state.failed &&
      h(
        'button',
        {
          type: 'button',
          class: 'button framed more',
          'data-testid': 'more',
          'data-key': 'more',
          disabled: busy,
          onclick: intents.more,
        },
        t('board.more'),
      ),
  ];
}

/** @param {BoardState} state */
function drawOwn(state) {
  if (state.isGuest || !state.places) return null;
  if (!state.me) return h('p', { class: 'unlisted' }, t('board.unlisted'));
  return placeRow(state.me, { own: state.own, signed: isSigned(state), tag: 'div' });
}

/** @param {HTMLElement} body @param {BoardIntents} intents */
export function mountBoard(body, intents) {
  const hosts = {
    choices: h('div', { class: 'choices' }),
    places: h('div', { class: 'places-host', 'data-testid': 'places' }),
    own: h('div', { class: 'own-place', 'aria-label': t('board.own') }),
  };
  const main = h(
    'main',
    { class: 'column-page' },
    h('h1', {}, t('nav.leaderboard')),
    hosts.choices,
    h('section', { class: 'panel' }, hosts.places),
    hosts.own,
  );
  body.append(framed('leaderboard', 'board-page', main));
  const updates = [
    region(
      hosts.choices,
      (/** @type {BoardState} */ { by, period, since }) => ({ by, period, since }),
      (slice) => drawChoices(slice, intents),
    ),
    region(
      hosts.places,
      (/** @type {BoardState} */ state) => state,
      (state) => drawPlaces(state, intents),
    ),
    region(hosts.own, (/** @type {BoardState} */ state) => state, drawOwn),
  ];
  return (/** @type {BoardState} */ state) => updates.forEach((update) => update(state));
}
