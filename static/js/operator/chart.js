// @ts-check
/** Bars of a few parts each, one a day. */
import { t } from '../i18n.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 760;
const HEIGHT = 200;
const FOOT = 22;

/** @param {string} tag @param {Record<string, string|number>} props @param {...(Node|string)} children */
function draw(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * @param {string} label
 * @param {{name: string, title: string, parts: number[]}[]} bars `parts` from the foot upwards
 */
export function barChart(label, bars) {
  const highest = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + Math.max(part, 0), 0)));
  const step = WIDTH / bars.length;
  const every = Math.ceil(bars.length / 10); // days there is room to name
  const drawn = bars.map(({ name, title, parts }, n) => {
    let top = HEIGHT - FOOT;
    const blocks = parts.map((part, kind) => {
      const height = (Math.max(part, 0) / highest) * (HEIGHT - FOOT - 8);
      top -= height;
      return draw('rect', { class: `part-${kind}`, x: n * step + step * 0.15, y: top, width: step * 0.7, height });
    });
    const day = n % every === 0 ? [draw('text', { x: (n + 0.5) * step, y: HEIGHT - 6 }, name)] : [];
    return draw('g', {}, draw('title', {}, title), ...blocks, ...day);
  });
  const line = draw('line', { x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT });
  return draw('svg', { class: 'op-chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label }, line, ...drawn);
}

/** What the colours mean. @param {string[]} names */
export function legend(names) {
  const list = document.createElement('ul');
  list.className = 'op-legend';
  list.append(
    ...names.map((name, kind) => {
      const item = document.createElement('li');
      item.className = `part-${kind}`;
      item.textContent = t(name);
      return item;
    }),
  );
  return list;
}
