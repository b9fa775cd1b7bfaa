// @ts-check
/** The switches of the player. */
import { t } from '../i18n.js';
import { changeSettings, settings } from '../settings.js';
import { playSound } from '../sound.js';
import { h } from './dom.js';
import { openModal } from './modal.js';

/** @typedef {keyof import('../settings.js').Settings} Name */

/** @type {Name[]} */
const SWITCHES = ['effects', 'tick', 'oneTap', 'keys', 'corners'];

/** @param {Name} name */
function drawSwitch(name) {
  const button = h(
    'button',
    {
      type: 'button',
      role: 'switch',
      class: 'switch',
      'data-switch': name,
      'aria-checked': String(settings()[name]),
    },
    h('span', {}, t(`settings.${name}`), h('small', {}, t(`settings.${name}.small`))),
    h('i', { 'aria-hidden': 'true' }),
  );
  button.addEventListener('click', () => {
    const on = !settings()[name];
    changeSettings({ [name]: on });
    button.setAttribute('aria-checked', String(on));
    if (name === 'effects' && on) playSound('turn');
  });
  return button;
}

export const openSettings = () => openModal('settings', t('settings.title'), ...SWITCHES.map(drawSwitch));
