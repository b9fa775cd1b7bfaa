// @ts-check
/** 收入: what the house earns, by day and by tier. */
import { formatNumber, t } from '../i18n.js';
import { h } from '../view/dom.js';
import { empty } from '../view/lists.js';
import { segments } from '../view/segments.js';
import { barChart, legend } from './chart.js';
import * as house from './house.js';
import { keepLoaded, table } from './parts.js';

const SOURCES = ['rake', 'escapes', 'fees'];
const DAYS = ['7', '14', '31'];

/** The sums of lines by one of their members. @param {any[]} lines @param {'day'|'tier'} by */
function sums(lines, by) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const line of lines) {
    const before = found.get(line[by]) ?? [0, 0, 0];
    found.set(line[by], before.map((sum, n) => sum + line[SOURCES[n]]));
  }
  return found;
}

/** @param {string} title @param {[string, number[]][]} rows @param {string} name */
const sheet = (title, rows, name) =>
  table(
    [title, ...SOURCES.map((source) => t(`op.income.${source}`)), t('op.total')],
    rows.map(([key, parts]) => [key, ...parts.map(formatNumber), h('b', {}, formatNumber(parts.reduce((a, b) => a + b, 0)))]),
    name,
  );

/** @param {{days: string[], items: any[]}} income */
function drawIncome({ days, items }) {
  if (!items.length) return empty(t('op.income.empty'));
  const byDay = sums(items, 'day');
  const bars = days.map((day) => {
    const parts = byDay.get(day) ?? [0, 0, 0];
    const [rake, escapes, fees] = parts;
    return { name: day.slice(5), title: t('op.income.bar', { day, rake, escapes, fees }), parts };
  });
  return [
    barChart(t('op.income.chart'), bars),
    legend(SOURCES.map((source) => `op.income.${source}`)),
    sheet(t('op.income.tier'), [...sums(items, 'tier')], 'by-tier'),
    sheet(t('op.income.day'), [...byDay].reverse(), 'by-day'),
  ];
}

/** @param {HTMLElement} host */
export function show(host) {
  let days = '14';
  const choice = h('div', { class: 'op-bar' });
  const chart = h('div');
  host.append(choice, chart);
  function choose(/** @type {string} */ wanted) {
    days = wanted;
    choice.replaceChildren(segments('days', t('op.income.days'), DAYS, days, (option) => t(`op.income.${option}`), choose));
    again();
  }
  const again = keepLoaded(chart, () => house.fetchIncome(Number(days)), drawIncome);
  choose(days);
}
