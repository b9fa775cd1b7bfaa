// @ts-check
/** What the sections are put together from: plain tables, small buttons, lists that load. */
import { t } from '../i18n.js';
import { errorText } from '../refusals.js';
import { h } from '../view/dom.js';
import { empty, failed, loading } from '../view/lists.js';
import { openModal } from '../view/modal.js';

/** @typedef {import('../view/dom.js').Children} Children */

/**
 * A table of rows that are cells each; numbers stand to the right.
 * @param {string[]} head @param {Children[][]} rows @param {string} [name]
 */
export const table = (head, rows, name = '') =>
  h(
    'div',
    { class: 'op-scroll' },
    h(
      'table',
      { class: 'op-table', 'data-testid': name || null },
      h('thead', {}, h('tr', {}, head.map((title) => h('th', { scope: 'col' }, title)))),
      h(
        'tbody',
        {},
        rows.map((cells) => h('tr', {}, cells.map((cell) => h('td', {}, cell)))),
      ),
    ),
  );

/** Does something when pressed, and says so if it fails. @param {string} name @param {string} label @param {() => any} act @param {Record<string, any>} [props] */
export function button(name, label, act, props = {}) {
  async function onclick() {
    try {
      await act();
    } catch (error) {
      openModal('problem', t('op.failed'), h('p', {}, errorText(error)));
    }
  }
  return h('button', { type: 'button', class: 'op-button', 'data-act': name, onclick, ...props }, label);
}

/** @param {[string, Children][]} pairs */
export const facts = (pairs) =>
  h(
    'dl',
    { class: 'op-facts' },
    pairs.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );

/** @param {boolean} value */
export const yesNo = (value) => t(value ? 'op.yes' : 'op.no');

/**
 * Fill a host with what `load` brings; `again` loads anew. What comes late for an older asking is dropped.
 * @template T
 * @param {HTMLElement} host @param {() => Promise<T>} load @param {(loaded: T, again: () => void) => Children} draw
 */
export function keepLoaded(host, load, draw) {
  let turn = 0;
  async function again() {
    const mine = ++turn;
    if (!host.childElementCount) host.replaceChildren(loading());
    try {
      const loaded = await load();
      if (mine === turn) host.replaceChildren(h('div', { class: 'op-loaded' }, draw(loaded, again)));
    } catch {
      if (mine === turn) host.replaceChildren(failed(again));
    }
  }
  again();
  return again;
}

/**
 * A list that goes on page by page.
 * @template T
 * @param {(cursor: string|null) => Promise<{items: T[], next: string|null}>} load
 * @param {(items: T[]) => Children} draw @param {string} nothing
 */
export function pagedList(load, draw, nothing) {
  const host = h('div', { class: 'op-loaded' });
  /** @type {T[]} */
  let items = [];
  /** @param {string|null} cursor */
  async function page(cursor) {
    if (cursor === null) host.replaceChildren(loading());
    try {
      const found = await load(cursor);
      items = [...items, ...found.items];
      const more = found.next && button('more', t('op.more'), () => page(found.next));
      host.replaceChildren(items.length ? h('div', {}, draw(items), more) : empty(nothing));
    } catch {
      host.replaceChildren(failed(() => page(cursor)));
    }
  }
  page(null);
  return host;
}
