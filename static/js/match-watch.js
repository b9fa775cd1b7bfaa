// @ts-check
/** While the seat opposite is free: is somebody being looked for? Asking is what keeps the search alive. */
import * as api from './api.js';

const POLL_MS = 2_000;

/**
 * @param {() => import('./state.js').State} current
 * @param {(match: import('./protocol.js').Match|null) => void} report
 */
export function watchMatch(current, report) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  const isWaiting = () => {
    const { view } = current();
    return view !== null && view.you !== null && view.room.phase === 'waiting' && !view.room.private;
  };

  async function ask() {
    timer = undefined;
    try {
      const match = await api.pollMatch();
      report(match);
      if (match.status === 'none') return;
    } catch {
      // The connection's own banner says that the server is away; the search is asked for again.
    }
    if (isWaiting()) timer = setTimeout(ask, POLL_MS);
  }

  return {
    /** The room has changed: begin to ask, or stop. */
    update() {
      if (!isWaiting()) {
        clearTimeout(timer);
        timer = undefined;
        if (current().match) report(null);
      } else if (timer === undefined && current().match === null) ask();
    },
  };
}
