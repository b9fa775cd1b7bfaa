// @ts-check
/** A line over rounds: how a player's points went. */
import { formatMoment, formatNumber, t } from '../i18n.js';
import { h, svg } from './dom.js';

/** @typedef {import('../protocol.js').PointsAt} PointsAt */

const WIDTH = 600;
const HEIGHT = 160;
const PAD = 6;

/** @param {PointsAt[]} points at least two, oldest first */
function line(points) {
  const values = points.map((each) => each.points);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (/** @type {number} */ at) => PAD + (at / (points.length - 1)) * (WIDTH - 2 * PAD);
  const y = (/** @type {number} */ value) => HEIGHT - PAD - ((value - low) / span) * (HEIGHT - 2 * PAD);
  const places = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const end = places[places.length - 1].split(',');
  return svg(
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">` +
      `<polyline class="trend" points="${places.join(' ')}" fill="none"/>` +
      `<circle class="now" cx="${end[0]}" cy="${end[1]}" r="4"/></svg>`,
  );
}

/** The chart with what it says in words beside it. @param {PointsAt[]} points oldest first */
export function pointsChart(points) {
  if (points.length < 2) return h('p', { class: 'empty' }, t('points.few'));
  const values = points.map((each) => each.points);
  const first = points[0];
  return h(
    'figure',
    { class: 'points-chart', 'data-testid': 'points-chart' },
    line(points),
    h(
      'figcaption',
      {},
      t('points.caption', {
        n: points.length,
        low: formatNumber(Math.min(...values)),
        high: formatNumber(Math.max(...values)),
        since: formatMoment(first.at_ms),
      }),
    ),
  );
}
