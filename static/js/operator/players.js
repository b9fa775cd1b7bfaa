// @ts-check
/** 玩家: found by name or id, paid, silenced, shut out, given a role. */
import { formatMoment, formatNumber, t } from '../i18n.js';
import { h } from '../view/dom.js';
import { playerLink } from '../view/lists.js';
import { openForm } from './form.js';
import * as house from './house.js';
import { button, facts, pagedList, table } from './parts.js';

/** @typedef {import('../operator.js').Desk} Desk */

const ROLES = ['none', 'viewer', 'operator', 'owner'];

/** @param {string|null} role */
const roleName = (role) => t(`op.role.${role ?? 'none'}`);

/** @param {any} player */
const flags = (player) =>
  [
    player.guest && t('op.players.guest'),
    player.muted_ms !== null && t('op.player.muted'),
    player.banned_ms !== null && t('op.player.banned'),
  ]
    .filter(Boolean)
    .join(' · ');

/** @param {any} player @param {() => void} done */
function adjust(player, done) {
  const key = crypto.getRandomValues(new Uint32Array(3)).join('-').slice(0, 26);
  openForm({
    name: 'adjust',
    title: `${t('op.player.adjust')} · ${player.name}`,
    fields: [{ name: 'coins', label: 'op.player.adjust.coins', kind: 'number' }],
    send: (values) => house.adjust(player.id, values, key),
    done,
  });
}

/** @param {any} player @param {'mute'|'unmute'|'ban'|'unban'} what @param {() => void} done */
const treat = (player, what, done) =>
  openForm({
    name: what,
    title: `${t(`op.player.${what}`)} · ${player.name}`,
    note: what === 'ban' ? t('op.player.ban.note') : undefined,
    send: (values) => house.treatPlayer(player.id, what, values),
    done,
  });

/** @param {any} player @param {() => void} done */
const setRole = (player, done) =>
  openForm({
    name: 'role',
    title: `${t('op.player.set_role')} · ${player.name}`,
    fields: [
      {
        name: 'role',
        label: 'op.player.role',
        kind: 'choice',
        value: player.role ?? 'none',
        options: ROLES.map((role) => [role, t(`op.role.${role}`)]),
      },
    ],
    send: ({ role, reason }) => house.treatPlayer(player.id, 'role', { role: role === 'none' ? null : role, reason }),
    done,
  });

/** @param {any} player @param {Desk} desk @param {() => void} done */
function actions(player, desk, done) {
  const isTouchable = desk.may('operator') && (player.role === null || desk.may('owner'));
  const mute = player.muted_ms === null ? 'mute' : 'unmute';
  const ban = player.banned_ms === null ? 'ban' : 'unban';
  return h(
    'span',
    { class: 'op-actions' },
    isTouchable && [
      button('adjust', t('op.player.adjust'), () => adjust(player, done)),
      button(mute, t(`op.player.${mute}`), () => treat(player, mute, done)),
      button(ban, t(`op.player.${ban}`), () => treat(player, ban, done), { class: 'op-button danger' }),
    ],
    desk.may('owner') && !player.guest && button('role', t('op.player.set_role'), () => setRole(player, done)),
  );
}

/** @param {any} player @param {Desk} desk @param {() => void} done */
const dossier = (player, desk, done) =>
  h(
    'section',
    { class: 'op-dossier', 'data-testid': 'dossier' },
    h('h2', {}, player.name),
    facts([
      [t('op.player.id'), h('code', {}, player.id)],
      [t('op.coins'), formatNumber(player.coins)],
      [t('op.player.points'), formatNumber(player.points)],
      [t('op.player.role'), roleName(player.role)],
      [t('op.player.flags'), flags(player) || t('op.none')],
      [t('op.player.since'), formatMoment(player.created_ms)],
      [t('op.player.sessions'), formatNumber(player.sessions)],
      [t('op.player.room'), player.room_id ?? t('op.none')],
      [t('op.player.rounds'), formatNumber(player.career.rounds)],
      [t('op.player.wins'), formatNumber(player.career.wins)],
      [t('op.player.losses'), formatNumber(player.career.losses)],
      [t('op.player.escapes'), formatNumber(player.career.escapes)],
    ]),
    h('p', {}, h('a', { href: `/players/${encodeURIComponent(player.id)}` }, t('op.player.page'))),
    actions(player, desk, done),
  );

/** @param {HTMLElement} host @param {Desk} desk */
export function show(host, desk) {
  const input = h('input', { type: 'search', name: 'q', 'aria-label': t('op.players.search'), placeholder: t('op.players.search'), maxlength: 64, 'data-testid': 'op-search' });
  const form = h('form', { class: 'op-bar', role: 'search' }, input, h('button', { class: 'op-button primary' }, t('op.players.do')));
  const one = h('div');
  const list = h('div');

  /** @param {string} id */
  async function open(id) {
    const player = await house.fetchDossier(id);
    one.replaceChildren(dossier(player, desk, () => (open(id), search())));
  }
  /** @param {any} player */
  const row = (player) => [
    playerLink(player),
    h('code', {}, player.id),
    formatNumber(player.coins),
    formatNumber(player.points),
    roleName(player.role),
    flags(player),
    button('look', t('op.player.look'), () => open(player.id), { 'data-player': player.id }),
  ];
  const head = [t('op.player'), t('op.player.id'), t('op.coins'), t('op.player.points'), t('op.player.role'), t('op.player.flags'), t('op.actions')];
  const search = () =>
    list.replaceChildren(
      pagedList((cursor) => house.searchPlayers(input.value.trim(), cursor), (items) => table(head, items.map(row), 'players'), t('op.players.empty')),
    );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    one.replaceChildren();
    search();
  });
  host.append(form, one, list);
  search();
}
