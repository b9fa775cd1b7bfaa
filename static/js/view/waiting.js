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

/** @param {Element} host @param {string|null} invite @param {Intents} intents */
export const mountWaiting = (host, invite, intents) =>
  region(
    host,
    (/** @type {State} */ state) => ({
      waiting: state.view?.room.phase === 'waiting' && !isResultShown(state),
      isPrivate: state.view?.room.private ?? false,
    }),
    ({ waiting, isPrivate }) =>
      waiting &&
      h(
        'div',
        { class: 'waiting', 'data-testid': 'waiting' },
        h('h2', {}, t('wait.title')),
        h('p', {}, t(isPrivate ? 'wait.private' : 'wait.public')),
        isPrivate && drawCode(invite, intents),
      ),
  );
