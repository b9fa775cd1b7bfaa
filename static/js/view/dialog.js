// @ts-check
/** Leaving with its price, and the menu. */
import { isWaiting } from '../state.js';
import { PHRASES } from '../protocol.js';
import { t } from '../i18n.js';
import { h, region } from './dom.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 */

/** @param {State} state */
const dialogSlice = (state) => ({ dialog: state.ui.dialog, busy: isWaiting(state) });

/** @param {{penalty: number, changed: boolean}} dialog @param {boolean} busy @param {Intents} intents */
const drawLeave = ({ penalty, changed }, busy, intents) => [
  h('h2', { id: 'dialog-title' }, t('leave.title')),
  h('p', { class: 'lead' }, t(changed ? 'leave.changed' : 'leave.penalty', { n: penalty })),
  h(
    'footer',
    {},
    h(
      'button',
      {
        type: 'button',
        class: 'button danger',
        'data-testid': 'leave-confirm',
        'data-key': 'leave-confirm',
        disabled: busy,
        onclick: () => intents.leaveAnyway(penalty),
      },
      t('leave.go', { n: penalty }),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'button primary',
        'data-testid': 'leave-stay',
        'data-first': true,
        onclick: intents.closeDialog,
      },
      t('leave.stay'),
    ),
  ),
];

/** @param {string} key @param {string|null} small @param {() => void} onclick @param {boolean} [first] */
const menuItem = (key, small, onclick, first = false) =>
  h(
    'button',
    { type: 'button', class: 'menu-item', 'data-act': key, 'data-first': first, onclick },
    t(key),
    small && h('small', {}, t(small)),
  );

/** @param {Intents} intents */
const drawChat = (intents) => [
  h('h2', { id: 'dialog-title' }, t('chat.title')),
  h(
    'div',
    { class: 'phrases' },
    PHRASES.map((phrase, i) =>
      h(
        'button',
        {
          type: 'button',
          class: 'menu-item',
          'data-phrase': phrase,
          'data-first': i === 0,
          onclick: () => intents.say(phrase),
        },
        t(`phrase.${phrase}`),
      ),
    ),
  ),
  closeFooter(intents),
];

/** @param {Intents} intents */
const closeFooter = (intents) =>
  h(
    'footer',
    {},
    h('button', { type: 'button', class: 'button', onclick: intents.closeDialog }, t('menu.close')),
  );

/** @param {Intents} intents */
const drawMenu = (intents) => [
  h('h2', { id: 'dialog-title' }, t('menu.title')),
  menuItem('menu.lobby', 'menu.lobby.small', intents.toLobby, true),
  menuItem('menu.settings', null, intents.openSettings),
  menuItem('menu.keys', null, intents.openKeys),
  menuItem('menu.leave', null, intents.leave),
  closeFooter(intents),
];

/** @param {NonNullable<import('../state.js').Dialog>} dialog @param {boolean} busy @param {Intents} intents */
function drawContent(dialog, busy, intents) {
  if (dialog.kind === 'leave') return drawLeave(dialog, busy, intents);
  return dialog.kind === 'chat' ? drawChat(intents) : drawMenu(intents);
}

/** Keeps Tab inside. @param {KeyboardEvent} event */
function trapFocus(event) {
  if (event.key !== 'Tab' || !(event.currentTarget instanceof Element)) return;
  const stops = [...event.currentTarget.querySelectorAll('button:not(:disabled), a[href]')];
  const [first, last] = [stops[0], stops.at(-1)];
  const edge = event.shiftKey ? first : last;
  if (document.activeElement !== edge) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (event.shiftKey ? last : first)?.focus();
}

/** @param {ReturnType<typeof dialogSlice>} slice @param {Intents} intents */
function drawDialog({ dialog, busy }, intents) {
  if (!dialog) return null;
  return h(
    'div',
    { class: 'veil' },
    h(
      'div',
      {
        class: 'dialog',
        role: 'dialog',
        'aria-modal': 'true',
        'aria-labelledby': 'dialog-title',
        'data-testid': `dialog-${dialog.kind}`,
        onkeydown: trapFocus,
      },
      drawContent(dialog, busy, intents),
    ),
  );
}

/** @param {Element} host @param {Intents} intents */
export function mountDialog(host, intents) {
  const draw = region(host, dialogSlice, (slice) => drawDialog(slice, intents));
  /** @type {Element|null} */
  let before = null;
  return (/** @type {State} */ state) => {
    const wasOpen = host.childElementCount > 0;
    if (!wasOpen && state.ui.dialog) before = document.activeElement;
    if (!draw(state)) return;
    const first = host.querySelector('[data-first]');
    if (first instanceof HTMLElement && !wasOpen) first.focus();
    if (wasOpen && !state.ui.dialog && before instanceof HTMLElement) before.focus();
  };
}
