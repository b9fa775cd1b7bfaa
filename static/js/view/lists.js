// @ts-check
/** How lists say that they are on their way, did not come, or are empty. */
import { t } from '../i18n.js';
import { h } from './dom.js';

export const loading = () => h('p', { class: 'empty', role: 'status' }, t('lobby.loading'));

/** @param {() => void} again */
export const failed = (again) =>
  h(
    'div',
    { class: 'empty', role: 'alert' },
    h('p', {}, t('lobby.failed')),
    h('button', { type: 'button', class: 'button gold', onclick: again }, t('lobby.retry')),
  );

/** @param {string} text */
export const empty = (text) => h('p', { class: 'empty' }, text);

/** @param {unknown[]|null} items @param {boolean} isFailed @param {() => void} again @param {string} nothing */
export function listState(items, isFailed, again, nothing) {
  if (!items) return isFailed ? failed(again) : loading();
  return items.length === 0 ? empty(nothing) : null;
}

/** A link to somebody's page. @param {{id: string, name: string}} player */
export const playerLink = ({ id, name }) =>
  h('a', { class: 'player-link', href: `/players/${encodeURIComponent(id)}` }, name);
