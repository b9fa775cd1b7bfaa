// @ts-check
import * as api from '../api.js';
import { t } from '../i18n.js';
import { errorText } from '../refusals.js';
import { drawWays } from './account/entry.js';
import { h } from './dom.js';
import { tileView } from './tile.js';

/** A bound for the field; the server counts displayed characters and decides. */
const NAME_UNITS = 32;

/** @param {Node[]} content */
function showPage(...content) {
  const page = h('main', { class: 'door' }, h('div', { class: 'door-card' }, ...content));
  document.body.append(page);
  return page;
}

const doorTiles = () =>
  h(
    'div',
    { class: 'door-tiles' },
    ['7z', '6z', '5z'].map((tile) => tileView(tile)),
  );

/**
 * Asks for a nickname until the server takes it.
 * @param {'lead'|'invited'|'watching'} welcome what he comes for
 * @returns {Promise<any>} the player, as `GET /api/me` tells
 */
export function showSignIn(welcome) {
  const screen = document.body.dataset.screen ?? '';
  document.body.dataset.screen = 'signin';
  const input = h('input', {
    type: 'text',
    id: 'nickname',
    name: 'nickname',
    maxlength: NAME_UNITS,
    required: true,
    autocomplete: 'nickname',
    autofocus: true,
    'data-testid': 'nickname',
    'aria-describedby': 'nickname-hint',
  });
  const button = h(
    'button',
    { type: 'submit', class: 'button primary', 'data-testid': 'sign-in' },
    t('signin.do'),
  );
  const problem = h('p', { class: 'problem', role: 'alert', 'data-testid': 'sign-in-error' });
  const form = h(
    'form',
    { class: 'signin' },
    h('label', { for: 'nickname' }, t('signin.label')),
    input,
    h('small', { id: 'nickname-hint' }, t('signin.hint')),
    problem,
    button,
  );
  return new Promise((resolve) => {
    /** @param {any} me */
    const entered = (me) => {
      page.remove();
      document.body.dataset.screen = screen;
      resolve(me);
    };
    const page = showPage(
      doorTiles(),
      h('h1', {}, t('signin.title')),
      h('p', { class: 'lead' }, t(`signin.${welcome}`)),
      form,
      drawWays(entered),
    );
    input.focus();
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (button.disabled) return;
      button.disabled = true;
      button.textContent = t('signin.busy');
      problem.textContent = '';
      try {
        entered(await api.signIn(input.value.trim()));
      } catch (error) {
        problem.textContent = errorText(error);
        button.disabled = false;
        button.textContent = t('signin.do');
      }
    });
  });
}

/**
 * A closed door: why one cannot go on, and a way.
 * @param {string} text
 * @param {string} label of the button
 * @param {() => void} go
 */
export function showRefusal(text, label, go) {
  showPage(
    doorTiles(),
    h('p', { class: 'lead', role: 'alert', 'data-testid': 'refused' }, text),
    h('button', { type: 'button', class: 'button primary', onclick: go }, label),
  );
}
