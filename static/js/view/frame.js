// @ts-check
/** What every page but the table has in common: the bar above with its links, below on a phone. */
import { t } from '../i18n.js';
import { followSettings, changeSettings } from '../settings.js';
import { h } from './dom.js';
import { icon } from './icons.js';
import { openSettings } from './settings.js';
import { tileView } from './tile.js';

/** @type {[name: string, href: string][]} */
const PLACES = [
  ['lobby', '/'],
  ['leaderboard', '/leaderboard'],
  ['rules', '/rules'],
];

/** @param {string} current @param {boolean} withIcon */
const links = (current, withIcon) =>
  PLACES.map(([name, href]) =>
    h(
      'a',
      { href, 'aria-current': name === current ? 'page' : null },
      withIcon && icon(name),
      h('span', {}, t(`nav.${name}`)),
    ),
  );

function soundButton() {
  const button = h('button', {
    type: 'button',
    class: 'tool',
    'data-act': 'sound',
    onclick: () => changeSettings({ effects: button.getAttribute('aria-pressed') !== 'true' }),
  });
  followSettings(({ effects }) => {
    button.setAttribute('aria-pressed', String(effects));
    button.setAttribute('aria-label', t(effects ? 'sound.on' : 'sound.off'));
    button.replaceChildren(icon(effects ? 'sound' : 'silent'));
  });
  return button;
}

/**
 * A page with its frame.
 * @param {string} current which of the places it is
 * @param {string} name of the page, for styles
 * @param {Node[]} content
 */
export function framed(current, name, ...content) {
  const settings = () =>
    h(
      'button',
      { type: 'button', class: 'tool', 'data-act': 'settings', 'aria-label': t('settings.title'), onclick: openSettings },
      icon('gear'),
    );
  return h(
    'div',
    { class: `lobby ${name}` },
    h(
      'header',
      { class: 'lobby-bar' },
      h('a', { class: 'logo', href: '/' }, tileView('7z', '', ''), t('app.title')),
      h('nav', { 'aria-label': t('nav.label') }, links(current, false)),
      h('span', { class: 'spring' }),
      soundButton(),
      settings(),
    ),
    ...content,
    h('nav', { class: 'lobby-tabs', 'aria-label': t('nav.label') }, links(current, true)),
  );
}
