// @ts-check
import * as api from '../api.js';
import { hasText, t } from '../i18n.js';
import { h } from './dom.js';
import { tileView } from './tile.js';

export const NAME_LENGTH = 12;

/** @param {unknown} error */
export function errorText(error) {
  const code = error instanceof api.ApiError ? error.code : 'internal';
  return t(hasText(`err.${code}`) ? `err.${code}` : 'err.internal');
}

/** @param {Node[]} content */
function showPage(...content) {
  const page = h('main', { class: 'door' }, h('div', { class: 'door-card' }, ...content));
  document.body.append(page);
  return page;
}

const doorTiles = () => h('div', { class: 'door-tiles' }, ['7z', '6z', '5z'].map((tile) => tileView(tile)));

/**
 * Asks for a nickname until the server takes it.
 * @param {{invited: boolean}} options
 * @returns {Promise<any>} the player, as `GET /api/me` tells
 */
export function showSignIn({ invited }) {
  const screen = document.body.dataset.screen ?? '';
  document.body.dataset.screen = 'signin';
  const input = h('input', {
    type: 'text',
    id: 'nickname',
    name: 'nickname',
    maxlength: NAME_LENGTH,
    required: true,
    autocomplete: 'nickname',
    autofocus: true,
    'data-testid': 'nickname',
    'aria-describedby': 'nickname-hint',
  });
  const button = h('button', { type: 'submit', class: 'button primary', 'data-testid': 'sign-in' }, t('signin.do'));
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
  const page = showPage(
    doorTiles(),
    h('h1', {}, t('signin.title')),
    h('p', { class: 'lead' }, t(invited ? 'signin.invited' : 'signin.lead')),
    form,
  );
  input.focus();
  return new Promise((resolve) => {
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (button.disabled) return;
      button.disabled = true;
      button.textContent = t('signin.busy');
      problem.textContent = '';
      try {
        const me = await api.signIn(input.value.trim());
        page.remove();
        document.body.dataset.screen = screen;
        resolve(me);
      } catch (error) {
        problem.textContent = errorText(error);
        button.disabled = false;
        button.textContent = t('signin.do');
      }
    });
  });
}

/** A closed door: why one cannot go on, and the way back. @param {string} text @param {() => void} back */
export function showRefusal(text, back) {
  showPage(
    doorTiles(),
    h('p', { class: 'lead', role: 'alert', 'data-testid': 'refused' }, text),
    h('button', { type: 'button', class: 'button primary', onclick: back }, t('end.to_lobby')),
  );
}
