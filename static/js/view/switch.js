// @ts-check
import { h } from './dom.js';

/**
 * A switch that shows how it stands.
 * @param {string} name @param {string} label @param {string} small @param {boolean} on
 * @param {(on: boolean) => void} onchange
 */
export function switchButton(name, label, small, on, onchange) {
  const button = h(
    'button',
    {
      type: 'button',
      role: 'switch',
      class: 'switch',
      'data-switch': name,
      'data-key': name,
      'aria-checked': String(on),
    },
    h('span', {}, label, h('small', {}, small)),
    h('i', { 'aria-hidden': 'true' }),
  );
  button.addEventListener('click', () => {
    const turned = button.getAttribute('aria-checked') !== 'true';
    button.setAttribute('aria-checked', String(turned));
    onchange(turned);
  });
  return button;
}
