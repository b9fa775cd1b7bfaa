// @ts-check
/** A dialog of the browser's own: it keeps the focus, gives it back, and Esc closes it. */
import { t } from '../i18n.js';
import { h } from './dom.js';

/** @param {string} name @param {string} title @param {...Node} content */
export function openModal(name, title, ...content) {
  if (document.querySelector('dialog[open]')) return;
  const close = h('button', { type: 'button', class: 'button primary', 'data-act': 'close' }, t('modal.close'));
  const dialog = h(
    'dialog',
    { class: 'dialog modal', 'aria-labelledby': 'modal-title', 'data-testid': `dialog-${name}` },
    h('h2', { id: 'modal-title' }, title),
    h('div', { class: 'modal-body' }, ...content),
    h('footer', {}, close),
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
