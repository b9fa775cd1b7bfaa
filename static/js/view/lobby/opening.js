// @ts-check
/** Before a table is opened: what it will be, and whether others may watch it. */
import { formatNumber, t } from '../../i18n.js';
import { h } from '../dom.js';
import { openQuestion } from '../modal.js';
import { switchButton } from '../switch.js';

/**
 * @param {import('../../protocol.js').Tier} tier
 * @param {boolean} isPrivate
 * @param {import('../../lobby.js').LobbyIntents} intents
 */
export function askOpening(tier, isPrivate, intents) {
  let spectators = false;
  const choose = (/** @type {boolean} */ on) => {
    spectators = on;
  };
  openQuestion(
    'opening',
    t(isPrivate ? 'lobby.create_private' : 'lobby.create_public'),
    [
      h('p', { class: 'lead' }, t('search.tier', { name: tier.name, base: formatNumber(tier.base) })),
      h('p', { class: 'why' }, t(isPrivate ? 'opening.private' : 'opening.public')),
      switchButton(
        'spectators',
        t('opening.spectators'),
        t(isPrivate ? 'opening.spectators.private' : 'opening.spectators.public'),
        false,
        choose,
      ),
    ],
    { label: t('opening.do'), act: () => intents.create({ isPrivate, spectators }) },
  );
}
