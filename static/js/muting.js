// @ts-check
/** Whether this session hears what others say; a new window hears them again. */
const PLACE = 'erma.muted';

export const isMuted = () => sessionStorage.getItem(PLACE) !== null;

/** @param {boolean} on */
export function keepMuted(on) {
  if (on) sessionStorage.setItem(PLACE, '1');
  else sessionStorage.removeItem(PLACE);
}
