// @ts-check
/** One stop per group of choices: arrows go on to the next and choose it, as the browser's own radios do. */

const STEP = new Map([
  ['ArrowRight', 1],
  ['ArrowDown', 1],
  ['ArrowLeft', -1],
  ['ArrowUp', -1],
]);

/** @param {KeyboardEvent} event */
function onKey(event) {
  const step = STEP.get(event.key);
  const from = event.target instanceof Element ? event.target.closest('[role=radio], [role=tab]') : null;
  const group = from?.closest('[role=radiogroup], [role=tablist]');
  if (!step || !from || !group) return;
  event.preventDefault();
  event.stopPropagation();
  const choices = [...group.querySelectorAll('[role=radio]:not(:disabled), [role=tab]')];
  const next = choices[(choices.indexOf(from) + step + choices.length) % choices.length];
  if (!(next instanceof HTMLElement)) return;
  next.focus();
  next.click();
}

export const listenInGroups = () => document.addEventListener('keydown', onKey);
