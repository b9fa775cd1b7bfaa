// @ts-check
/**
 * The operators' page. Which section is shown is in the address; what the caller's role does not allow has no
 * button.
 *
 * @typedef {import('./protocol.js').Role} Role
 * @typedef {{may: (needed: Role) => boolean}} Desk
 */
import * as api from './api.js';
import { t } from './i18n.js';
import { show as showIncome } from './operator/income.js';
import { show as showLedger } from './operator/ledger.js';
import { show as showLog } from './operator/log.js';
import { show as showPlayers } from './operator/players.js';
import { show as showRooms } from './operator/rooms.js';
import { show as showSuspects } from './operator/suspects.js';
import { show as showTiers } from './operator/tiers.js';
import { errorText } from './refusals.js';
import { h } from './view/dom.js';
import { framed } from './view/frame.js';
import { segments } from './view/segments.js';
import { showRefusal } from './view/signin.js';

/** @type {Record<string, (host: HTMLElement, desk: Desk) => void>} */
const SECTIONS = {
  tiers: showTiers,
  rooms: showRooms,
  players: showPlayers,
  income: showIncome,
  suspects: showSuspects,
  log: showLog,
  ledger: showLedger,
};
/** @type {Role[]} */
const ROLES = ['viewer', 'operator', 'owner'];

/** @param {Role} role */
function openDesk(role) {
  const desk = { may: (/** @type {Role} */ needed) => ROLES.indexOf(role) >= ROLES.indexOf(needed) };
  const tabs = h('div', { class: 'op-tabs' });
  const sheet = h('section', { class: 'op-sheet', 'data-testid': 'op-sheet' });

  /** @param {string} section */
  function show(section) {
    history.replaceState(null, '', `?section=${section}`);
    tabs.replaceChildren(
      segments('section', t('op.sections'), Object.keys(SECTIONS), section, (each) => t(`op.section.${each}`), show),
    );
    const fresh = h('div', { class: 'op-section' });
    sheet.replaceChildren(fresh);
    sheet.dataset.section = section;
    SECTIONS[section](fresh, desk);
  }
  const head = h('header', { class: 'op-head' }, h('h1', {}, t('op.title')), h('span', {}, t(`op.role.${role}`)));
  document.body.append(framed('operator', 'operator-page', h('main', { class: 'op-main' }, head, tabs, sheet)));
  const asked = new URLSearchParams(location.search).get('section') ?? '';
  show(asked in SECTIONS ? asked : 'rooms');
}

const toLobby = () => location.assign('/');

export async function start() {
  document.title = t('title.operator');
  try {
    const me = await api.fetchMe();
    if (me?.role) openDesk(me.role);
    else showRefusal(t(me ? 'op.refused.player' : 'op.refused.stranger'), t('end.to_lobby'), toLobby);
  } catch (error) {
    showRefusal(errorText(error), t('lobby.retry'), () => location.reload());
  }
}
