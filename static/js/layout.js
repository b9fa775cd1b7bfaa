// @ts-check
/**
 * Which of the three layouts fits the window, and by how much to scale it. Styles ask for
 * `[data-layout]` on the body; everything is laid out in the units of the layout's own base size.
 */

const BASE = { desktop: [1280, 800], portrait: [390, 844], landscape: [844, 390] };
const SHORT_HEIGHT = 790;

/** @param {number} width @param {number} height */
function layoutFor(width, height) {
  if (width >= 1000 && height >= 560) return 'desktop';
  return width > height ? 'landscape' : 'portrait';
}

/** @param {'desktop'|'portrait'|'landscape'} layout @param {number} width @param {number} height */
function scaleFor(layout, width, height) {
  const [baseWidth, baseHeight] = BASE[layout];
  const scale = Math.min(width / baseWidth, height / baseHeight);
  return Math.min(Math.max(scale, layout === 'desktop' ? 0.8 : 1), 1.7);
}

function fit() {
  const { innerWidth: width, innerHeight: height } = window;
  const layout = layoutFor(width, height);
  const scale = scaleFor(layout, width, height);
  const { body } = document;
  body.dataset.layout = layout;
  body.toggleAttribute('data-short', layout === 'portrait' && height < SHORT_HEIGHT);
  body.toggleAttribute('data-narrow', layout === 'landscape' && width < 760);
  body.dataset.fit = `${width}x${height}`;
  body.style.zoom = String(scale);
  body.style.setProperty('--vw', `${width / scale / 100}px`);
  body.style.setProperty('--vh', `${height / scale / 100}px`);
}

export function keepFitting() {
  fit();
  addEventListener('resize', fit);
}
