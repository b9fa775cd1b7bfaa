// @ts-check
/** The page one waits on for a partner. */
import { formatNumber, t } from '../../i18n.js';
import { h } from '../dom.js';
import { tileView } from '../tile.js';

/**
 * @typedef {import('../../search.js').Search} Search
 * @typedef {import('../../protocol.js').Tier} Tier
 * @typedef {import('../../lobby.js').LobbyIntents} LobbyIntents
 */

/** @param {string} name @param {string} look @param {() => void} onclick @param {boolean} [disabled] */
const button = (name, look, onclick, disabled = false) =>
  h(
    'button',
    {
      type: 'button',
      class: `button ${look}`,
      'data-testid': `search-${name}`,
      'data-key': `search-${name}`,
      disabled,
      onclick,
    },
    t(`search.${name}`),
  );

/** @param {Search} search @param {LobbyIntents} intents */
function drawButtons({ status, roomId }, intents) {
  if (status === 'refused') {
    return [
      button('close', 'framed', intents.cancelSearch),
      roomId
        ? button('back', 'primary', () => intents.goBack(roomId))
        : button('again', 'primary', intents.searchAgain),
    ];
  }
  if (status === 'lapsed') {
    return [button('close', 'framed', intents.cancelSearch), button('again', 'primary', intents.searchAgain)];
  }
  return button('cancel', 'framed', intents.cancelSearch, status !== 'waiting');
}

/** What there is to say besides the time. @param {Search} search */
function words({ status, note, problem }) {
  if (status === 'refused') return problem;
  if (status === 'lapsed') return t('search.lapsed');
  return note ? t(`search.${note}`) : '';
}

/** @param {{search: Search|null, tier: Tier|null}} slice @param {LobbyIntents} intents */
export function drawSearch({ search, tier }, intents) {
  if (!search) return null;
  const isSearching = search.status !== 'refused' && search.status !== 'lapsed';
  return h(
    'main',
    { class: 'door search', 'data-testid': 'search', 'data-status': search.status },
    h(
      'div',
      { class: 'door-card' },
      h(
        'div',
        { class: isSearching ? 'door-tiles turning' : 'door-tiles', 'aria-hidden': 'true' },
        ['1z', '7z', '3z'].map((tile) => tileView(tile)),
      ),
      h('h1', {}, t(isSearching ? 'search.title' : `search.title.${search.status}`)),
      tier && h('p', { class: 'lead' }, t('search.tier', { name: tier.name, base: formatNumber(tier.base) })),
      isSearching && h('p', { class: 'elapsed', role: 'timer', 'data-tick': 'elapsed' }),
      h('p', { class: 'notice', role: 'status', 'data-testid': 'search-words' }, words(search)),
      h('footer', {}, drawButtons(search, intents)),
    ),
  );
}
