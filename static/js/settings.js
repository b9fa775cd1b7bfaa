// @ts-check
/**
 * The player's own switches, kept in this browser.
 *
 * @typedef {{effects: boolean, tick: boolean, oneTap: boolean, keys: boolean, corners: boolean}} Settings
 */
const PLACE = 'erma.settings';

/** @type {Readonly<Settings>} */
const DEFAULTS = Object.freeze({ effects: true, tick: true, oneTap: false, keys: true, corners: false });

/** @returns {Settings} */
function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
    const known = Object.keys(DEFAULTS).filter((name) => typeof kept[name] === 'boolean');
    return { ...DEFAULTS, ...Object.fromEntries(known.map((name) => [name, kept[name]])) };
  } catch {
    return { ...DEFAULTS };
  }
}

let current = stored();
/** @type {Set<(settings: Settings) => void>} */
const followers = new Set();

export const settings = () => current;

/** @param {Partial<Settings>} patch */
export function changeSettings(patch) {
  current = { ...current, ...patch };
  try {
    localStorage.setItem(PLACE, JSON.stringify(current));
  } catch {
    // Without storage they last as long as the page.
  }
  for (const follow of followers) follow(current);
}

/** Calls now and after every change. @param {(settings: Settings) => void} follow */
export function followSettings(follow) {
  followers.add(follow);
  follow(current);
}
