// @ts-check
import { tileName } from '../tiles.js';
import { t } from '../i18n.js';
import { h, svg } from './dom.js';

const SPRITE = new URL('../../tiles.svg', import.meta.url);

/** Puts the tile faces into the page, once; tiles show their ivory until then. */
export async function loadTileFaces() {
  const response = await fetch(SPRITE);
  const faces = svg(await response.text());
  faces.setAttribute('class', 'sprite');
  faces.setAttribute('aria-hidden', 'true');
  document.body.prepend(faces);
}

/** Ranks as they are, honours by their initials: east south west north, white, green (fa), red (chung). */
const HONOURS = 'ESWNPFC';

/** @param {string} tile */
const corner = (tile) => (tile[1] === 'z' ? HONOURS[Number(tile[0]) - 1] : tile[0]);

/** @param {string} tile */
const face = (tile) =>
  h('i', { 'data-corner': corner(tile) }, svg(`<svg viewBox="0 0 60 80" aria-hidden="true"><use href="#t-${tile}"/></svg>`));

/** A tile that lies or is only looked at. @param {string} tile @param {string} [extra] @param {string} [label] */
export const tileView = (tile, extra = '', label = tileName(tile)) =>
  h('span', { class: `tile ${extra}`, role: 'img', 'aria-label': label, 'data-tile': tile }, face(tile));

/** A tile seen from behind. @param {string} [extra] */
export const backView = (extra = '') =>
  h('span', { class: `tile back ${extra}`, role: 'img', 'aria-label': t('tile.back') }, h('i'));

/** A standing tile of one's own hand. @param {string} tile @param {Record<string, any>} props */
export const tileButton = (tile, props) =>
  h(
    'button',
    { type: 'button', ...props, 'data-tile': tile, class: `tile stand ${props.class ?? ''}` },
    face(tile),
  );
