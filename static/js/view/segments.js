// @ts-check
import { cls, h } from './dom.js';

/**
 * A row of choices of which one holds.
 * @param {string} name
 * @param {string} label
 * @param {readonly string[]} options
 * @param {string} chosen
 * @param {(option: any) => string} textOf
 * @param {(option: any) => void} choose
 */
export const segments = (name, label, options, chosen, textOf, choose) =>
  h(
    'div',
    { class: 'segments', role: 'radiogroup', 'aria-label': label },
    options.map((option) =>
      h(
        'button',
        {
          type: 'button',
          role: 'radio',
          class: cls('segment', option === chosen && 'on'),
          'aria-checked': String(option === chosen),
          tabindex: option === chosen ? 0 : -1,
          'data-key': `${name}-${option}`,
          'data-choice': option,
          onclick: () => choose(option),
        },
        textOf(option),
      ),
    ),
  );
