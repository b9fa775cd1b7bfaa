// @ts-check
/** An empty seat: how to bring somebody to the table, or what to do after the partner has gone. */
import { t } from '../i18n.js';
import { h, region } from './dom.js';
import { canShareWatching, isResultShown, isWatching } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 */

/** @param {string} name @param {string} look @param {string} text @param {() => void} onclick */
const button = (name, look, text, onclick) =>
  h(
    'button',
    { type: 'button', class: `button ${look}`, 'data-testid': name, 'data-key': name, onclick },
    text,
  );

/** A partner is being looked for. @param {State} state */
export const isSearching = ({ match }) => match !== null && match.status !== 'none';

/** What the one who stays may choose: stay for another, or go. @param {boolean} isMatched @param {Intents} intents */
export const partingChoice = (isMatched, intents) => [
  button('parted-leave', 'framed', t('parted.leave'), intents.leave),
  button('parted-stay', 'primary', t(isMatched ? 'parted.search' : 'parted.stay'), intents.stay),
];

/** @param {string|null} code @param {Intents} intents */
const drawCode = (code, intents) =>
  code
    ? h(
        'div',
        { class: 'invite' },
        h('code', { 'data-testid': 'invite-code', 'aria-label': t('wait.code') }, code),
        button('copy-invite', 'gold', t('wait.copy'), () => intents.copyLink('play')),
      )
    : h('p', {}, t('wait.no_code'));

/** @param {State} state */
function waitingSlice(state) {
  const { room = null } = state.view ?? {};
  if (room?.phase !== 'waiting' || isResultShown(state)) return null;
  return {
    watching: isWatching(state),
    forsaken: state.parted && !state.ui.stays,
    isMatch: isSearching(state),
    isPrivate: room.private,
    invite: state.invite,
    canBeWatched: canShareWatching(state),
  };
}

/** @typedef {NonNullable<ReturnType<typeof waitingSlice>>} Slice */

/** @param {Intents} intents */
const drawMatch = (intents) => [
  h('h2', {}, t('wait.match.title')),
  h('p', { role: 'status', 'data-testid': 'match-left' }, t('wait.match')),
  button('match-cancel', 'gold', t('wait.match.cancel'), intents.cancelMatch),
];

/** @param {Slice} slice @param {Intents} intents */
const drawForsaken = (slice, intents) => [
  h('h2', {}, t('parted.title')),
  h('p', { role: 'status' }, t(slice.isMatch ? 'parted.why.search' : 'parted.why')),
  h('footer', {}, partingChoice(slice.isMatch, intents)),
];

/** @param {Slice} slice @param {Intents} intents */
const drawOpen = ({ isPrivate, canBeWatched, invite }, intents) => [
  h('h2', {}, t('wait.title')),
  h('p', {}, t(isPrivate ? 'wait.private' : 'wait.public')),
  isPrivate && drawCode(invite, intents),
  canBeWatched &&
    h(
      'div',
      { class: 'invite' },
      h('span', {}, t('wait.watchable')),
      button('copy-watch', 'gold', t('wait.copy_watch'), () => intents.copyLink('watch')),
    ),
];

/** @param {Slice} slice @param {Intents} intents */
function drawContent(slice, intents) {
  if (slice.watching) return [h('h2', {}, t('wait.title')), h('p', { role: 'status' }, t('wait.watching'))];
  if (slice.forsaken) return drawForsaken(slice, intents);
  return slice.isMatch ? drawMatch(intents) : drawOpen(slice, intents);
}

/** @param {Element} host @param {Intents} intents */
export const mountWaiting = (host, intents) =>
  region(
    host,
    waitingSlice,
    (slice) => slice && h('div', { class: 'waiting', 'data-testid': 'waiting' }, drawContent(slice, intents)),
  );
