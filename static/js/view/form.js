// @ts-check
/**
 * A dialog with fields to fill in.
 *
 * @typedef {{
 *   name: string, label: string, hint?: string, type?: 'text'|'password', autocomplete: string,
 *   value?: string, is?: string, hidden?: boolean
 * }} Field `is`: what has to be typed before one can go on; `hidden` ones are for password managers
 * @typedef {{
 *   name: string, title: string, lead?: string, content?: Node[], fields?: Field[], go: string, danger?: boolean
 * }} Form
 */
import { t } from '../i18n.js';
import { errorText } from '../refusals.js';
import { h } from './dom.js';

/** Bounds for the fields; the server decides. */
const MAX_LENGTH = { text: 32, password: 256 };

/** @param {Field} field */
function inputOf({ name, type = 'text', autocomplete, value, hint, hidden = false }) {
  return h('input', {
    ...{ type, name, id: `field-${name}`, value, autocomplete, hidden },
    maxlength: MAX_LENGTH[type],
    required: !hidden,
    autocapitalize: 'none',
    spellcheck: 'false',
    'data-testid': `field-${name}`,
    'aria-describedby': hint ? `hint-${name}` : null,
  });
}

/** @param {Field} field @param {HTMLInputElement} input */
const rowOf = ({ name, label, hint, hidden }, input) =>
  hidden
    ? input
    : h(
        'div',
        { class: 'field' },
        h('label', { for: `field-${name}` }, label),
        input,
        hint && h('small', { id: `hint-${name}` }, hint),
      );

/** Shows what is typed into the password fields. @param {HTMLInputElement[]} inputs */
function revealer(inputs) {
  const hidden = inputs.filter((input) => input.type === 'password');
  if (!hidden.length) return null;
  const box = h('input', { type: 'checkbox', 'data-testid': 'reveal' });
  box.addEventListener('change', () => {
    for (const input of hidden) input.type = box.checked ? 'text' : 'password';
  });
  return h('label', { class: 'reveal' }, box, t('form.reveal'));
}

/** @param {Form} form */
function build({ name, title, lead, content = [], fields = [], go, danger = false }) {
  const inputs = fields.map(inputOf);
  const problem = h('p', { class: 'problem', role: 'alert', 'data-testid': 'form-problem' });
  const button = h(
    'button',
    { type: 'submit', class: danger ? 'button danger' : 'button primary', 'data-testid': `${name}-go` },
    go,
  );
  const close = h('button', { type: 'button', class: 'button', 'data-act': 'close' }, t('form.cancel'));
  const form = h(
    'form',
    { class: 'form' },
    fields.map((field, i) => rowOf(field, inputs[i])),
    revealer(inputs),
    problem,
    h('footer', {}, close, button),
  );
  const dialog = h(
    'dialog',
    { class: 'dialog modal', 'aria-labelledby': 'modal-title', 'data-testid': `dialog-${name}` },
    h('h2', { id: 'modal-title' }, title),
    h('div', { class: 'modal-body with-form' }, lead && h('p', { class: 'lead' }, lead), ...content, form),
  );
  return { dialog, form, inputs, button, close, problem };
}

/**
 * Asks until what is filled in is taken, or the dialog is closed.
 * @param {Form} form
 * @param {(values: Record<string, string>) => Promise<void>} submit rejects when it is not taken
 */
export function openForm(form, submit) {
  if (document.querySelector('dialog[open]')) return;
  const { dialog, form: element, inputs, button, close, problem } = build(form);
  let busy = false;
  const lock = () => {
    const asked = (form.fields ?? []).map(({ is }, i) => is === undefined || inputs[i].value.trim() === is);
    button.disabled = busy || asked.includes(false);
  };
  element.addEventListener('input', lock);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    busy = true;
    problem.textContent = '';
    lock();
    try {
      await submit(Object.fromEntries(inputs.map((input) => [input.name, input.value])));
      dialog.close();
    } catch (error) {
      problem.textContent = errorText(error);
    }
    busy = false;
    lock();
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  (inputs.find((input) => !input.hidden) ?? close).focus();
  lock();
}
