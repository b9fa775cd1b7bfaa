// @ts-check
/** What one can do after a round: go on with the same partner, or with another, or leave. */
import { t } from '../../i18n.js';
import { cls, h } from '../dom.js';
import { partingChoice } from '../waiting.js';

/**
 * @typedef {import('./slice.js').Slice} Slice
 * @typedef {import('../../intents.js').Intents} Intents
 */

/** @param {Slice} slice @param {Intents} intents */
function drawAgain({ confirm, confirmed, enabled }, intents) {
  if (confirmed) {
    return h(
      'button',
      { type: 'button', class: 'button primary', disabled: true, 'data-testid': 'confirmed' },
      t('settle.confirmed'),
    );
  }
  if (!confirm) return null;
  return h(
    'button',
    {
      type: 'button',
      class: 'button primary again',
      'data-o': confirm,
      'data-key': 'again',
      disabled: !enabled,
      onclick: () => intents.answer(confirm),
    },
    t('settle.again'),
    h('small', { 'data-tick': 'seconds' }),
  );
}

/** @param {string} name @param {string} state @param {boolean} [timed] */
const chip = (name, state, timed = false) =>
  h(
    'span',
    { class: cls('chip', state === 'ready' && 'ready'), 'data-state': state },
    h('b', {}, name),
    ' ',
    t(`settle.company.${state}`),
    ' ',
    timed && h('small', { 'data-tick': 'confirm-left', 'aria-hidden': 'true' }),
  );

/** The one who plays here has been left alone. @param {Slice} slice */
const isForsaken = ({ you, phase }) => you !== null && phase === 'waiting';

/** Who has said yes to another round, or that nobody can. @param {Slice} slice */
export function drawCompany(slice) {
  const { you, names, confirm, confirmed, partner } = slice;
  if (isForsaken(slice)) return h('p', { class: 'company', role: 'status' }, t('parted.title'));
  if (you === null || partner === 'gone' || !(confirm || confirmed)) return null;
  return h(
    'p',
    { class: 'company', role: 'status', 'data-testid': 'company' },
    chip(names[you], confirmed ? 'ready' : 'asked'),
    chip(names[1 - you], partner, confirmed),
  );
}

/** What else there is to know: how it goes on for a watcher, or that the shuffle is the one promised. @param {Slice} slice */
function drawNote({ you, phase, fair }) {
  if (you === null) {
    return h(
      'span',
      { class: 'note', role: 'status' },
      t(phase === 'waiting' ? 'settle.alone' : 'settle.watching'),
    );
  }
  return fair === 'kept' && h('span', { class: 'note fair' }, t('settle.fair.kept'));
}

/** The record opens beside the table: the next round may begin meanwhile. @param {string} round */
const drawRecordLink = (round) =>
  h(
    'a',
    {
      class: 'button',
      'data-act': 'settle-record',
      'data-key': 'settle-record',
      href: `/replay/${encodeURIComponent(round)}`,
      target: '_blank',
      rel: 'noopener',
    },
    t('settle.record'),
  );

/** @param {string} name @param {() => void} onclick */
const plain = (name, onclick) =>
  h(
    'button',
    { type: 'button', class: 'button', 'data-act': `settle-${name}`, 'data-key': `settle-${name}`, onclick },
    t(`settle.${name}`),
  );

/** @param {Slice} slice @param {Intents} intents */
export function drawFooter(slice, intents) {
  const forsaken = isForsaken(slice);
  return h(
    'footer',
    {},
    drawNote(slice),
    !forsaken && plain('leave', intents.leave),
    plain('table', () => intents.hideResult(true)),
    slice.result.settled && drawRecordLink(slice.round),
    forsaken ? partingChoice(slice.searching, intents) : drawAgain(slice, intents),
  );
}
