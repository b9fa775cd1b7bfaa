// @ts-check
/**
 * A form in a dialog. Every change has a reason. Of what has a version only the fields that were changed are
 * sent; if somebody else was faster his values stand beside ours, and the change may be sent again.
 *
 * @typedef {{name: string, label: string, kind?: 'text'|'number'|'switch'|'choice', value?: any,
 *   options?: [value: string, label: string][], optional?: boolean, group?: string}} Field
 * @typedef {{
 *   name: string, title: string, note?: string, fields?: Field[], version?: number,
 *   presentOf?: (present: any) => Record<string, any>,
 *   send: (values: Record<string, any>) => Promise<any>, done: (answer: any) => void
 * }} Form
 */
import { ApiError } from '../api.js';
import { t } from '../i18n.js';
import { errorText } from '../refusals.js';
import { h } from '../view/dom.js';

/** @type {Field} */
const REASON = { name: 'reason', label: 'op.reason', group: '' }; // below all the others

/** @param {Field} field */
function control({ name, kind, value, options, optional }) {
  const props = { name, id: `op-${name}`, 'data-testid': `op-${name}` };
  if (kind === 'switch') return h('input', { ...props, type: 'checkbox', checked: value });
  if (kind === 'choice') {
    const choices = (options ?? []).map(([own, label]) => h('option', { value: own, selected: own === value }, label));
    return h('select', props, choices);
  }
  const numeric = kind === 'number' ? { inputmode: 'numeric', pattern: '-?[0-9]{1,15}' } : { maxlength: 200 };
  return h('input', {
    ...props,
    ...numeric,
    type: 'text',
    value: value ?? '',
    required: !optional,
    autocomplete: 'off',
  });
}

/** @param {Field} field @param {HTMLInputElement|HTMLSelectElement} input */
function valueOf({ kind, optional }, input) {
  if (kind === 'switch') return /** @type {HTMLInputElement} */ (input).checked;
  const text = input.value.trim();
  if (optional && text === '') return null;
  return kind === 'number' ? Number(text) : text;
}

/** @param {unknown} value */
const shown = (value) => (value === null || value === undefined ? t('op.none') : String(value));

/** @param {unknown} error @param {Field[]} fields */
function words(error, fields) {
  if (!(error instanceof ApiError)) return errorText(error);
  if (error.code === 'forbidden') return t('op.err.forbidden');
  if (error.code !== 'invalid') return errorText(error);
  const wrong = (error.problem?.faults ?? []).map((/** @type {any} */ fault) => fault.where.at(-1));
  const labels = fields.filter(({ name }) => wrong.includes(name)).map(({ label }) => t(label));
  return labels.length ? t('op.err.fields', { fields: labels.join(' · ') }) : errorText(error);
}

/** @param {Form} form */
export function openForm(form) {
  if (document.querySelector('dialog[open]')) return;
  const fields = [...(form.fields ?? []), REASON];
  const inputs = new Map(fields.map((field) => [field.name, control(field)]));
  const notes = new Map(fields.map(({ name }) => [name, h('small', { class: 'op-now' })]));
  const problem = h('p', { class: 'op-problem', role: 'alert' });
  const go = h('button', { class: 'op-button primary', 'data-testid': 'op-send' }, t('op.save'));
  let version = form.version;

  /** @param {Field} field */
  const ours = (field) => valueOf(field, /** @type {any} */ (inputs.get(field.name)));

  /** @param {Field} field */
  const line = (field) =>
    h(
      'label',
      { class: 'op-field', for: `op-${field.name}` },
      h('span', {}, t(field.label)),
      inputs.get(field.name),
      notes.get(field.name),
    );
  const groups = [...new Set(fields.map(({ group }) => group))];
  const sheet = h(
    'form',
    { class: 'op-form' },
    h('h2', { id: 'op-form-title' }, form.title),
    form.note && h('p', { class: 'op-note' }, form.note),
    groups.map((group) => {
      const own = fields.filter((field) => field.group === group).map(line);
      return group ? h('fieldset', {}, h('legend', {}, t(group)), own) : own;
    }),
    problem,
    h('footer', {}, h('button', { type: 'button', class: 'op-button', 'data-act': 'cancel' }, t('op.cancel')), go),
  );
  const dialog = h(
    'dialog',
    { class: 'dialog op-dialog', 'aria-labelledby': 'op-form-title', 'data-testid': `form-${form.name}` },
    sheet,
  );

  /** Somebody was faster: his values beside ours. @param {any} present */
  function showPresent(present) {
    version = present.version;
    problem.textContent = t('op.conflict');
    const his = form.presentOf?.(present) ?? {};
    for (const field of fields.filter(({ name }) => name in his)) {
      const differs = his[field.name] !== ours(field);
      const note = notes.get(field.name);
      if (note) note.textContent = differs ? t('op.now', { value: shown(his[field.name]) }) : '';
    }
  }

  function values() {
    const sent = fields.filter((field) => !version || ours(field) !== (field.value ?? null));
    const pairs = sent.map((field) => [field.name, ours(field)]);
    return { ...Object.fromEntries(pairs), ...(version ? { version } : {}) };
  }

  sheet.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (go.disabled) return;
    go.disabled = true;
    problem.textContent = '';
    try {
      const answer = await form.send(values());
      dialog.close();
      form.done(answer);
    } catch (error) {
      const present = error instanceof ApiError && error.code === 'conflict' ? error.problem?.present : null;
      if (present) showPresent(present);
      else problem.textContent = words(error, fields);
    }
    go.disabled = false;
  });
  sheet.querySelector('[data-act=cancel]')?.addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
