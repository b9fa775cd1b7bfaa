// @ts-check
/**
 * Single keys at the table. Inactive while a text field has the focus or a modifier is held.
 *
 * @typedef {import('./state.js').State} State
 * @typedef {import('./intents.js').Intents} Intents
 */
import { choicesOf } from './choices.js';
import { settings } from './settings.js';
import { standingTiles } from './view/hand.js';
import { handOf, isResultShown, ownSeat } from './view/seats.js';

/** @param {EventTarget|null} target */
const isTyping = (target) => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** @param {number} index */
function focusTile(index) {
  const tile = document.querySelector(`.own-hand [data-index="${index}"]`);
  if (tile instanceof HTMLElement) tile.focus();
}

/** @param {State} state @param {string} key @returns {number|null} */
function movedTo(state, key) {
  const count = standingTiles(state).length;
  const from = state.ui.selected;
  if (count === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = key === 'ArrowRight' ? 1 : -1;
  return from < 0 ? 0 : (from + step + count) % count;
}

/** Presses the button of a choice, so that keys and pointer take the same way. @param {string} name */
function pressChoice(name) {
  const button = document.querySelector(`.actions [data-act="${name}"]:not(:disabled)`);
  if (button instanceof HTMLElement) button.click();
}

/** @param {State} state @param {string} hotkey */
function pressHotkey(state, hotkey) {
  const item = choicesOf(state)?.choices.find((choice) => choice.hotkey === hotkey);
  if (item) pressChoice(item.name);
}

/** @param {State} state @param {Intents} intents */
function onEscape(state, intents) {
  if (state.ui.dialog) intents.closeDialog();
  else if (isResultShown(state)) intents.hideResult(true);
  else pressHotkey(state, 'Esc');
}

/**
 * @param {() => State} current
 * @param {Intents} intents
 */
export function listenToKeys(current, intents) {
  addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) return;
    const state = current();
    const { key } = event;
    if (key === 'Escape' && !event.isComposing) return onEscape(state, intents);
    if (isTyping(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (state.ui.dialog || isResultShown(state)) return;
    if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) {
      const index = movedTo(state, key);
      if (index === null) return;
      event.preventDefault();
      intents.select(index);
      focusTile(index);
    } else if (settings().keys) onSingleKey(key.toLowerCase(), state, intents);
  });
}

/** The player may switch these off. @param {string} key @param {State} state @param {Intents} intents */
function onSingleKey(key, state, intents) {
  const seat = ownSeat(state);
  if (/^[1-5]$/.test(key)) pressHotkey(state, key);
  if (key === 'r') pressChoice(state.ui.readyMode ? 'cancel' : 'ready');
  if (key === 'h') pressChoice('win');
  if (key === 'm') intents.toggleSound();
  if (key === '?') intents.openKeys();
  if (key === 'c') intents.openChat();
  if (key === 't') intents.auto(!state.view?.seats[seat]?.auto);
  if (key === 'd' && handOf(state, seat)?.drawn) intents.playTile(standingTiles(state).length - 1);
}
