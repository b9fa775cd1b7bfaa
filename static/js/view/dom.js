// @ts-check
/** The few words the views are written with: elements, drawings, regions. */

/**
 * @typedef {Node|string|number|null|undefined|false} Child
 * @typedef {Child|any[]} Children
 */

/** @param {Element} element @param {string} name @param {any} value */
function setProp(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * An element: attributes by name, listeners as `onclick`, children nested at will.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(element, name, value);
  element.append(...kept(children));
  return element;
}

/** @param {Children[]} children @returns {(Node|string)[]} */
const kept = (children) =>
  children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));

/** A drawing from constant markup. @param {string} markup @returns {SVGSVGElement} */
export function svg(markup) {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return /** @type {SVGSVGElement} */ (template.content.firstElementChild);
}

/** Class names without the false ones. @param {...(string|false|null|undefined)} names */
export const cls = (...names) => names.filter(Boolean).join(' ');

/**
 * A host that is drawn again only when what it shows has changed. Focus stays on the element with the same
 * `data-key`.
 *
 * @template S, T
 * @param {Element} host
 * @param {(state: S) => T} select everything the drawing depends on
 * @param {(slice: T) => Children} draw
 * @returns {(state: S) => boolean} whether it was drawn
 */
export function region(host, select, draw) {
  let shown = '';
  return (state) => {
    const slice = select(state);
    const key = JSON.stringify(slice) ?? '';
    if (key === shown) return false;
    shown = key;
    const focused = focusedKey(host);
    host.replaceChildren(...kept([draw(slice)]));
    if (focused) restoreFocus(host, focused);
    return true;
  };
}

/** @param {Element} host */
function focusedKey(host) {
  const active = document.activeElement;
  return active instanceof HTMLElement && host.contains(active) ? (active.dataset.key ?? null) : null;
}

/** @param {Element} host @param {string} key */
function restoreFocus(host, key) {
  const again = host.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLElement) again.focus();
}
