// @ts-check
/** What one can do with one's account, and the dialogs that ask before it is done. */
import * as account from '../../account.js';
import { formatDay, formatMoment, t } from '../../i18n.js';
import { errorText } from '../../refusals.js';
import { h } from '../dom.js';
import { openForm } from '../form.js';
import { openModal } from '../modal.js';
import { openLogin, openRegister } from './entry.js';

/**
 * @typedef {import('../../protocol.js').Player} Player
 * @typedef {(me: {user: Player}|null, news?: string) => void} Changed null when there is nobody any more
 */

/** @param {string} name @param {string|null} small @param {() => void} open */
function item(name, small, open) {
  const button = h(
    'button',
    { type: 'button', class: 'menu-item', 'data-testid': `account-${name}` },
    t(`account.${name}`),
    small && h('small', {}, t(small)),
  );
  button.addEventListener('click', () => {
    button.closest('dialog')?.close();
    open();
  });
  return button;
}

/** @param {Player} me @param {Changed} changed */
export const openAccount = (me, changed) =>
  openModal('account', t('account.title'), ...(me.guest ? guestItems(me, changed) : ownItems(me, changed)));

/** @param {Player} me @param {Changed} changed */
const guestItems = (me, changed) => [
  item('keep', 'account.keep.small', () => keep(me, changed)),
  item('rename', null, () => rename(me, changed)),
  item('login', 'account.login.small', () => openLogin(true, () => changed(null))),
  item('logout', 'account.logout.guest.small', () => leaveAsGuest(changed)),
  item('leave', 'account.leave.small', () => leaveForGood(me, changed)),
];

/** @param {Player} me @param {Changed} changed */
const ownItems = (me, changed) => [
  item('rename', 'account.rename.small', () => rename(me, changed)),
  item('password', 'account.password.small', () => changePassword(me, changed)),
  item('devices', null, () => showDevices(changed)),
  item('logout', null, () => logout(changed)),
  item('leave', 'account.leave.small', () => leaveForGood(me, changed)),
];

/** @param {Player} me @param {Changed} changed */
export const keep = (me, changed) => openRegister(me.name, (now) => changed(now, t('account.kept.news')));

/** @param {Player} me @param {Changed} changed */
const rename = (me, changed) =>
  openForm(
    {
      ...{ name: 'rename', title: t('account.rename'), lead: t('account.rename.lead') },
      fields: [
        {
          ...{ name: 'name', label: t('account.name.label'), hint: t('signin.hint'), value: me.name },
          autocomplete: 'off',
        },
      ],
      go: t('account.rename'),
    },
    async ({ name }) => changed(await account.rename(name.trim())),
  );

/** @param {Player} me @returns {import('../form.js').Field} */
const whoseField = (me) => ({
  ...{ name: 'username', label: '', value: me.name, autocomplete: 'username', hidden: true },
});

/** @param {Player} me @param {Changed} changed */
const changePassword = (me, changed) =>
  openForm(
    {
      ...{ name: 'password', title: t('account.password'), lead: t('account.password.lead') },
      fields: [
        whoseField(me),
        { name: 'old', label: t('account.old.label'), type: 'password', autocomplete: 'current-password' },
        {
          ...{ name: 'fresh', label: t('account.new.label'), hint: t('account.password.hint') },
          ...{ type: 'password', autocomplete: 'new-password' },
        },
      ],
      go: t('account.password'),
    },
    async ({ old, fresh }) => changed(await account.changePassword(old, fresh), t('account.password.news')),
  );

/** @param {account.SessionLine} line */
const deviceRow = ({ created_ms: created, seen_on: seen, current }) =>
  h(
    'li',
    {},
    h('span', {}, t('account.device', { at: formatMoment(created) })),
    h('small', {}, current ? t('account.device.current') : t('account.device.seen', { on: formatDay(seen) })),
  );

/** Without the list one can still end them all. @param {Changed} changed */
async function showDevices(changed) {
  const content = await account.fetchSessions().then(
    ({ items }) => h('ul', { class: 'devices' }, items.map(deviceRow)),
    (error) => h('p', { class: 'lead' }, errorText(error)),
  );
  openForm(
    {
      ...{ name: 'everywhere', title: t('account.devices'), go: t('account.everywhere'), danger: true },
      content: [content],
    },
    async () => {
      await account.logoutEverywhere();
      changed(null);
    },
  );
}

/** What is shown next tells whether it has worked. @param {Changed} changed */
function logout(changed) {
  const next = () => changed(null);
  account.logout().then(next, next);
}

/** @param {Changed} changed */
const leaveAsGuest = (changed) =>
  openForm(
    {
      ...{ name: 'logout', title: t('account.logout'), lead: t('account.logout.guest.lead') },
      ...{ go: t('account.logout'), danger: true },
    },
    async () => {
      await account.logout();
      changed(null);
    },
  );

/** @param {Player} me @param {Changed} changed */
const leaveForGood = (me, changed) =>
  openForm(
    {
      ...{ name: 'leave', title: t('account.leave'), lead: t('account.leave.lead') },
      fields: [
        {
          ...{ name: 'confirm', label: t('account.leave.confirm.label', { name: me.name }), is: me.name },
          autocomplete: 'off',
        },
        ...(me.guest ? [] : [whoseField(me), passwordToLeave()]),
      ],
      ...{ go: t('account.leave'), danger: true },
    },
    async ({ password }) => {
      await account.leaveForGood(password);
      changed(null);
    },
  );

/** @returns {import('../form.js').Field} */
const passwordToLeave = () => ({
  ...{ name: 'password', label: t('account.password.label'), autocomplete: 'current-password' },
  type: 'password',
});
