// @ts-check
/** Registering and signing in: from the door, and for a guest who wants to keep what he has. */
import * as account from '../../account.js';
import { t } from '../../i18n.js';
import { h } from '../dom.js';
import { openForm } from '../form.js';

/** @typedef {(me: any) => void} Entered hears the player, as `GET /api/me` tells */

/** @param {string} [value] */
const nameField = (value) => ({
  ...{ name: 'name', label: t('account.name.label'), hint: t('signin.hint'), value },
  autocomplete: 'username',
});

/** @param {'current-password'|'new-password'} autocomplete */
const passwordField = (autocomplete) => ({
  ...{ name: 'password', label: t('account.password.label'), autocomplete },
  type: /** @type {const} */ ('password'),
  hint: autocomplete === 'new-password' ? t('account.password.hint') : undefined,
});

/** @param {string|null} guest his name, when a guest registers himself @param {Entered} entered */
export const openRegister = (guest, entered) =>
  openForm(
    {
      name: 'register',
      title: t(guest === null ? 'account.register' : 'account.keep'),
      lead: t(guest === null ? 'account.register.lead' : 'account.keep.lead'),
      fields: [nameField(guest ?? undefined), passwordField('new-password')],
      go: t('account.register'),
    },
    async ({ name, password }) => entered(await account.register(name.trim(), password)),
  );

/** @param {boolean} isGuest whether a guest would be left behind @param {Entered} entered */
export const openLogin = (isGuest, entered) =>
  openForm(
    {
      name: 'login',
      title: t('account.login'),
      lead: isGuest ? t('account.login.guest.lead') : undefined,
      fields: [{ ...nameField(), hint: undefined }, passwordField('current-password')],
      go: t('account.login'),
    },
    async ({ name, password }) => entered(await account.login(name.trim(), password)),
  );

/** The ways in beside a nickname. @param {Entered} entered */
export const drawWays = (entered) =>
  h(
    'div',
    { class: 'door-ways' },
    h(
      'button',
      { type: 'button', class: 'button framed', 'data-testid': 'to-login', onclick: () => openLogin(false, entered) },
      t('account.login'),
    ),
    h(
      'button',
      {
        ...{ type: 'button', class: 'button framed', 'data-testid': 'to-register' },
        onclick: () => openRegister(null, entered),
      },
      t('account.register'),
    ),
  );
