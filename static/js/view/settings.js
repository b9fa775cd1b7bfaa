// @ts-check
/** The switches of the player. */
import { t } from '../i18n.js';
import { changeSettings, settings } from '../settings.js';
import { playSound } from '../sound.js';
import { openModal } from './modal.js';
import { switchButton } from './switch.js';

/** @typedef {keyof import('../settings.js').Settings} Name */

/** @type {Name[]} */
const SWITCHES = ['effects', 'tick', 'oneTap', 'keys', 'corners'];

/** @param {Name} name */
const drawSwitch = (name) =>
  switchButton(name, t(`settings.${name}`), t(`settings.${name}.small`), settings()[name], (on) => {
    changeSettings({ [name]: on });
    if (name === 'effects' && on) playSound('turn');
  });

export const openSettings = () => openModal('settings', t('settings.title'), ...SWITCHES.map(drawSwitch));
