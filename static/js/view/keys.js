// @ts-check
/** The list of single keys. */
import { t } from '../i18n.js';
import { h } from './dom.js';
import { openModal } from './modal.js';

const KEYS = ['move', 'play', 'drawn', 'choose', 'pass', 'ready', 'win', 'auto', 'chat', 'mute', 'help'];

export const openKeys = () =>
  openModal(
    'keys',
    t('keys.title'),
    h(
      'ul',
      { class: 'keys' },
      KEYS.map((name) => h('li', {}, t(`keys.${name}`))),
    ),
  );
