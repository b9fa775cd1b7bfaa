// @ts-check
/** An empty seat: how to bring somebody to the table. */
import { t } from '../i18n.js';
import { h, region } from './dom.js';
import { isResultShown } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 */

/** @param {string|null} code @param {Intents} intents */
const drawCode = (code, intents) =>
  code
    ? h(
        'div',
        { class: 'invite' },
        h('code', { 'data-testid': 'invite-code', 'aria-label': t('wait.code') }, code),
        h(
          'button',
          {
            type: 'button',
            class: 'button gold',
            'data-testid': 'copy-invite',
            'data-key': 'copy',
            onclick: intents.copyInvite,
          },
          t('wait.copy'),
        ),
      )
    : h('p', {}, t('wait.no_code'));

/** @param {State} state */
function waitingSlice(state) {
  const { room = null } = state.view ?? {};
  return {
    waiting: room?.phase === 'waiting' && !isResultShown(state),
    isPrivate: room?.private ?? false,
    isMatch: state.match !== null && state.match.status !== 'none',
  };
}

/** @param {Intents} intents */
const drawMatch = (intents) => [
  h('h2', {}, t('wait.match.title')),
  h('p', { role: 'status', 'data-testid': 'match-left' }, t('wait.match')),
  h(
    'button',
    {
      type: 'button',
      class: 'button gold',
      'data-testid': 'match-cancel',
      'data-key': 'match-cancel',
      onclick: intents.cancelMatch,
    },
    t('wait.match.cancel'),
  ),
];

/** @param {boolean} isPrivate @param {string|null} invite @param {Intents} intents */
const drawOpen = (isPrivate, invite, intents) => [
  h('h2', {}, t('wait.title')),
  h('p', {}, t(isPrivate ? 'wait.private' : 'wait.public')),
  isPrivate && drawCode(invite, intents),
];

/** @param {Element} host @param {string|null} invite @param {Intents} intents */
export const mountWaiting = (host, invite, intents) =>
  region(
    host,
    waitingSlice,
    ({ waiting, isPrivate, isMatch }) =>
      waiting &&
      h(
        'div',
        { class: 'waiting', 'data-testid': 'waiting' },
        isMatch ? drawMatch(intents) : drawOpen(isPrivate, invite, intents),
      ),
  );
