// @ts-check
/** Leaving with its price, and the menu. */
import { isWaiting } from '../state.js';
import { t } from '../i18n.js';
import { chatPart, muteSwitch } from './chat.js';
import { coinWord } from './coins.js';
import { h, region } from './dom.js';
import { canShareWatching, isWatching } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 */

/** @param {State} state */
function dialogSlice(state) {
  const { dialog } = state.ui;
  const { room = null } = state.view ?? {};
  return {
    dialog,
    busy: isWaiting(state),
    watching: isWatching(state),
    practice: room?.practice ?? false,
    points: state.book?.escape_points ?? null,
    canBeWatched: canShareWatching(state),
    freeText: state.freeText,
    muted: state.muted,
  };
}

/** What leaving costs besides coins; nothing in practice. @param {ReturnType<typeof dialogSlice>} slice */
function pointsWords({ practice, points }) {
  if (practice) return t('leave.no_points');
  return points === null ? t('leave.points.some') : t('leave.points', { n: points });
}

/** @param {{penalty: number, changed: boolean}} dialog @param {ReturnType<typeof dialogSlice>} slice @param {Intents} intents */
const drawLeave = ({ penalty, changed }, slice, intents) => [
  h('h2', { id: 'dialog-title' }, t('leave.title')),
  h(
    'p',
    { class: 'lead' },
    t(changed ? 'leave.changed' : 'leave.penalty', { n: penalty, coins: coinWord(slice.practice) }),
    pointsWords(slice),
  ),
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
        disabled: slice.busy,
        onclick: () => intents.leaveAnyway(penalty),
      },
      t('leave.go', { n: penalty, coins: coinWord(slice.practice) }),
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
const closeFooter = (intents) =>
  h(
    'footer',
    {},
    h('button', { type: 'button', class: 'button', onclick: intents.closeDialog }, t('menu.close')),
  );

/** @typedef {ReturnType<typeof dialogSlice>} Slice */

/** @param {Slice} slice @param {Intents} intents */
const drawMenu = ({ watching, canBeWatched }, intents) => [
  h('h2', { id: 'dialog-title' }, t('menu.title')),
  menuItem('menu.lobby', watching ? null : 'menu.lobby.small', intents.toLobby, true),
  menuItem('menu.settings', null, intents.openSettings),
  !watching && menuItem('menu.keys', null, intents.openKeys),
  canBeWatched && menuItem('menu.watch_link', 'menu.watch_link.small', () => intents.copyLink('watch')),
  !watching && menuItem('menu.leave', null, intents.leave),
];

/** @param {Intents} intents */
function contentOf(intents) {
  const drawChat = chatPart(intents);
  return (/** @type {Slice} */ slice, /** @type {NonNullable<Slice['dialog']>} */ dialog) => {
    if (dialog.kind === 'leave') return drawLeave(dialog, slice, intents);
    const content = dialog.kind === 'chat' ? drawChat(slice) : drawMenu(slice, intents);
    return [
      content,
      dialog.kind === 'menu' && slice.watching && muteSwitch(slice.muted, intents),
      closeFooter(intents),
    ];
  };
}

/** Keeps Tab inside. @param {KeyboardEvent} event */
function trapFocus(event) {
  if (event.key !== 'Tab' || !(event.currentTarget instanceof Element)) return;
  const stops = [...event.currentTarget.querySelectorAll('button:not(:disabled), a[href], input')];
  const [first, last] = [stops[0], stops.at(-1)];
  const edge = event.shiftKey ? first : last;
  if (document.activeElement !== edge) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (event.shiftKey ? last : first)?.focus();
}

/** @param {Slice} slice @param {ReturnType<typeof contentOf>} drawContent */
function drawDialog(slice, drawContent) {
  const { dialog } = slice;
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
      drawContent(slice, dialog),
    ),
  );
}

/** @param {Element} host @param {Intents} intents */
export function mountDialog(host, intents) {
  const drawContent = contentOf(intents);
  const draw = region(host, dialogSlice, (slice) => drawDialog(slice, drawContent));
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
