// @ts-check
/** 紀錄: who changed what, when and why. */
import { formatMoment, t } from '../i18n.js';
import { h } from '../view/dom.js';
import * as house from './house.js';
import { pagedList, table } from './parts.js';

/** Only what differs is worth reading. @param {any} own @param {any} other */
const facts = (own, other) =>
  own === null
    ? t('op.none')
    : Object.entries(own)
        .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other?.[name]))
        .map(([name, value]) => h('div', {}, h('code', {}, `${name}: ${JSON.stringify(value)}`)));

/** @param {any} line */
const row = (line) => [
  formatMoment(line.at_ms),
  h('span', { title: line.operator.id }, line.operator.name),
  t(`op.action.${line.action}`),
  h('code', {}, line.subject),
  facts(line.before, line.after),
  facts(line.after, line.before),
  line.reason,
];

/** @param {string} name */
const filter = (name) =>
  h('input', { type: 'search', name, 'aria-label': t(`op.log.${name}`), placeholder: t(`op.log.${name}`), maxlength: 32 });

/** @param {HTMLElement} host */
export function show(host) {
  const operator = filter('operator');
  const subject = filter('subject');
  const form = h('form', { class: 'op-bar', role: 'search' }, operator, subject, h('button', { class: 'op-button primary' }, t('op.players.do')));
  const list = h('div');
  const head = [t('op.when'), t('op.who'), ...['what', 'on', 'before', 'after'].map((name) => t(`op.log.${name}`)), t('op.reason')];
  const load = (/** @type {string|null} */ cursor) =>
    house.fetchLog({ operator: operator.value.trim() || undefined, subject: subject.value.trim() || undefined, cursor });
  const search = () => list.replaceChildren(pagedList(load, (items) => table(head, items.map(row), 'log'), t('op.log.empty')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
  host.append(form, list);
  search();
}
