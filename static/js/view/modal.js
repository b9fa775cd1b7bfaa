// @ts-check
/** A dialog of the browser's own: it keeps the focus, gives it back, and Esc closes it. */
import { t } from '../i18n.js';
import { h } from './dom.js';

/** @param {string} name @param {string} title @param {...Node} content */
export const openModal = (name, title, ...content) => show(name, title, content, null);

/**
 * One that asks whether to go on.
 * @param {string} name @param {string} title @param {Node[]} content
 * @param {{label: string, act: () => void}} way
 */
export const openQuestion = (name, title, content, way) => show(name, title, content, way);

/** @param {string} name @param {string} title @param {Node[]} content @param {{label: string, act: () => void}|null} way */
function show(name, title, content, way) {
  if (document.querySelector('dialog[open]')) return;
  const close = h(
    'button',
    { type: 'button', class: way ? 'button' : 'button primary', 'data-act': 'close' },
    t('modal.close'),
  );
  const go =
    way &&
    h(
      'button',
      { type: 'button', class: 'button primary', 'data-testid': `${name}-go`, autofocus: true },
      way.label,
    );
  const dialog = h(
    'dialog',
    { class: 'dialog modal', 'aria-labelledby': 'modal-title', 'data-testid': `dialog-${name}` },
    h('h2', { id: 'modal-title' }, title),
    h('div', { class: 'modal-body' }, ...content),
    h('footer', {}, close, go),
  );
  go?.addEventListener('click', () => {
    dialog.close();
    way?.act();
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
