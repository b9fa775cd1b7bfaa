// @ts-check
import { RANKS, rankProgress } from '../ranks.js';
import { formatNumber, t } from '../i18n.js';
import { cls, h, region } from './dom.js';
import { bird, icon } from './icons.js';
import { coinsView } from './plate.js';
import { tileView } from './tile.js';

/**
 * @typedef {import('../lobby.js').LobbyState} LobbyState
 * @typedef {import('../lobby.js').LobbyIntents} LobbyIntents
 * @typedef {import('../lobby.js').Tier} Tier
 * @typedef {import('../lobby.js').Player} Player
 */

/** @param {string} title @param {...any} content */
const panel = (title, ...content) => h('section', { class: 'panel' }, h('h2', {}, title), ...content);

/** @param {Player} me */
function drawMe(me) {
  const { next, share } = rankProgress(me.points);
  const fill = h('i');
  fill.style.width = `${share * 100}%`;
  const ahead = me.next_rank ?? next;
  return h(
    'section',
    { class: 'panel me' },
    h(
      'div',
      { class: 'face' },
      bird('own'),
      h('b', { 'data-testid': 'me-name' }, me.name),
      coinsView(me.coins),
    ),
    h(
      'div',
      { class: 'standing' },
      h('b', {}, me.rank),
      h(
        'span',
        {},
        ahead ? t('lobby.next_rank', { n: ahead.points - me.points, rank: ahead.name }) : t('lobby.top_rank'),
      ),
      h('div', { class: 'progress' }, fill),
      h('span', {}, t('lobby.points', { n: me.points })),
      ahead && h('span', { class: 'goal' }, formatNumber(ahead.points)),
    ),
  );
}

/** @param {LobbyIntents} intents */
function buildCodeEntry(intents) {
  const input = h('input', {
    type: 'text',
    'aria-label': t('lobby.code'),
    placeholder: t('lobby.code'),
    autocomplete: 'off',
    autocapitalize: 'characters',
    maxlength: 64,
    'data-testid': 'invite-input',
  });
  return panel(
    t('lobby.private'),
    h(
      'form',
      {
        class: 'code-entry',
        onsubmit(/** @type {Event} */ event) {
          event.preventDefault();
          const code = input.value.trim();
          if (code) intents.joinByCode(code);
        },
      },
      input,
      h('button', { type: 'submit', class: 'button gold', 'data-testid': 'invite-join' }, t('lobby.join')),
    ),
  );
}

/** @param {() => void} again */
const failed = (again) =>
  h(
    'div',
    { class: 'empty', role: 'alert' },
    h('p', {}, t('lobby.failed')),
    h('button', { type: 'button', class: 'button gold', onclick: again }, t('lobby.retry')),
  );

/** @param {Pick<LobbyState, 'rooms'|'roomsFailed'|'busy'>} slice @param {LobbyIntents} intents */
function drawRooms({ rooms, roomsFailed, busy }, intents) {
  if (!rooms) return roomsFailed ? failed(intents.loadRooms) : h('p', { class: 'empty' }, t('lobby.loading'));
  if (rooms.length === 0) return h('p', { class: 'empty' }, t('lobby.rooms.empty'));
  return h(
    'ul',
    { class: 'open-rooms' },
    rooms.map((room) =>
      h(
        'li',
        {},
        h(
          'span',
          {},
          t('lobby.room.host', { name: room.host.name, rank: room.host.rank }),
          h('small', {}, t('lobby.room.base', { tier: room.tier_name, base: room.base })),
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            'data-testid': 'join-room',
            'data-room': room.id,
            'data-key': `room-${room.id}`,
            disabled: busy,
            onclick: () => intents.joinRoom(room.id),
          },
          t('lobby.join'),
        ),
      ),
    ),
  );
}

/** Rule sets in the order the tiers come in. @param {Tier[]} tiers */
function rulesetsOf(tiers) {
  /** @type {Map<string, Tier>} */
  const first = new Map();
  for (const tier of tiers) if (!first.has(tier.ruleset)) first.set(tier.ruleset, tier);
  return [...first.values()];
}

/** @param {Pick<LobbyState, 'tiers'|'ruleset'>} slice @param {LobbyIntents} intents */
const drawRulesets = ({ tiers, ruleset }, intents) =>
  rulesetsOf(tiers ?? []).map((tier) =>
    h(
      'button',
      {
        type: 'button',
        role: 'radio',
        class: cls('segment', tier.ruleset === ruleset && 'on'),
        'aria-checked': String(tier.ruleset === ruleset),
        'data-ruleset': tier.ruleset,
        'data-key': `rules-${tier.ruleset}`,
        onclick: () => intents.chooseRuleset(tier.ruleset),
      },
      t('lobby.ruleset', { name: tier.ruleset_name, n: tier.tiles }),
    ),
  );

/** The sign on a tier's medal: 仔 of 雀仔場, 銅 of 銅雀場. @param {string} name */
const medalSign = (name) => (name.startsWith('雀') ? name[1] : name[0]);

/** Why a player cannot sit down there, or how much it takes. @param {Tier} tier @param {number} coins */
function entryWords(tier, coins) {
  if (!tier.open) return { barred: true, text: t('lobby.closed') };
  if (coins < tier.entry_min) return { barred: true, text: t('lobby.short', { n: tier.entry_min - coins }) };
  if (tier.entry_max !== null && coins > tier.entry_max) return { barred: true, text: t('lobby.rich') };
  return { barred: false, text: t('lobby.entry', { n: tier.entry_min }) };
}

/** @param {Tier} tier @param {number} place @param {{chosen: string, coins: number}} slice @param {LobbyIntents} intents */
function drawTier(tier, place, { chosen, coins }, intents) {
  const { barred, text } = entryWords(tier, coins);
  return h(
    'button',
    {
      type: 'button',
      role: 'radio',
      class: cls('tier', tier.id === chosen && !barred && 'on', barred && 'barred'),
      'aria-checked': String(tier.id === chosen && !barred),
      'data-tier': tier.id,
      'data-key': `tier-${tier.id}`,
      disabled: barred,
      onclick: () => intents.chooseTier(tier.id),
    },
    h('span', { class: `medal medal-${(place % 6) + 1}`, 'aria-hidden': 'true' }, medalSign(tier.name)),
    tier.open && tier.online > 0 && h('span', { class: 'online' }, t('lobby.online', { n: tier.online })),
    h('span', { class: 'tier-name' }, tier.name),
    h('span', { class: 'stake' }, h('i', {}, t('lobby.base')), h('b', {}, formatNumber(tier.base))),
    h('span', { class: 'entry' }, text),
  );
}

/** @param {{tiers: Tier[]|null, failed: boolean, ruleset: string, chosen: string, coins: number}} slice @param {LobbyIntents} intents */
function drawTiers(slice, intents) {
  if (!slice.tiers) {
    return slice.failed ? failed(intents.loadTiers) : h('p', { class: 'empty' }, t('lobby.loading'));
  }
  return slice.tiers
    .filter((tier) => tier.ruleset === slice.ruleset)
    .map((tier, place) => drawTier(tier, place, slice, intents));
}

/** @param {{ready: boolean, busy: boolean, problem: string}} slice @param {LobbyIntents} intents */
const drawCalls = ({ ready, busy, problem }, intents) => [
  h('p', { class: 'problem', role: 'alert', 'data-testid': 'lobby-problem' }, problem),
  h(
    'button',
    {
      type: 'button',
      class: 'button framed',
      'data-testid': 'create-private',
      'data-key': 'create-private',
      disabled: !ready || busy,
      onclick: () => intents.create(true),
    },
    t('lobby.create_private'),
  ),
  h(
    'button',
    {
      type: 'button',
      class: 'button primary',
      'data-testid': 'create-public',
      'data-key': 'create-public',
      disabled: !ready || busy,
      onclick: () => intents.create(false),
    },
    t('lobby.create_public'),
  ),
];

/** @param {string|null} roomId @param {LobbyIntents} intents */
const drawBack = (roomId, intents) =>
  roomId &&
  h(
    'div',
    { class: 'back-to-table' },
    h('span', {}, t('lobby.back')),
    h(
      'button',
      {
        type: 'button',
        class: 'button gold',
        'data-testid': 'back-to-table',
        onclick: () => intents.goBack(roomId),
      },
      t('lobby.back.do'),
    ),
  );

/** The titles with the points they take, one's own marked. @param {string} own */
const drawRanks = (own) => [
  h('h2', {}, t('lobby.ranks')),
  h(
    'ol',
    { class: 'ranks' },
    [...RANKS]
      .reverse()
      .map(({ name, points }) =>
        h(
          'li',
          { class: name === own ? 'own' : '', 'aria-current': name === own ? 'true' : null },
          h('b', {}, name),
          name === own && h('small', {}, t('lobby.ranks.own')),
          h('span', {}, formatNumber(points)),
        ),
      ),
  ),
];

/** Whether the chosen tier can be opened just now. @param {LobbyState} state */
function canOpen({ tiers, tier, me }) {
  const chosen = tiers?.find((item) => item.id === tier);
  return Boolean(chosen && !entryWords(chosen, me.coins).barred);
}

function build(/** @type {LobbyIntents} */ intents) {
  const hosts = {
    me: h('div', { class: 'me-host' }),
    rooms: h('div', { class: 'rooms-host' }),
    rulesets: h('div', { class: 'segments', role: 'radiogroup', 'aria-label': t('lobby.rules') }),
    back: h('div', { class: 'back-host' }),
    tiers: h('div', { class: 'tiers', role: 'radiogroup', 'aria-label': t('lobby.title') }),
    calls: h('div', { class: 'calls' }),
    ranks: h('section', { class: 'panel ranks-panel' }),
  };
  const page = h(
    'div',
    { class: 'lobby' },
    h(
      'header',
      { class: 'lobby-bar' },
      h('div', { class: 'logo' }, tileView('7z'), t('app.title')),
      h('nav', {}, h('a', { href: '/', 'aria-current': 'page' }, t('nav.lobby'))),
    ),
    h(
      'main',
      { class: 'lobby-columns' },
      h(
        'div',
        { class: 'lobby-side first' },
        hosts.me,
        buildCodeEntry(intents),
        h(
          'section',
          { class: 'panel rooms-panel' },
          h(
            'h2',
            {},
            t('lobby.rooms'),
            h(
              'button',
              {
                type: 'button',
                class: 'refresh',
                'aria-label': t('lobby.rooms.refresh'),
                onclick: intents.loadRooms,
              },
              icon('refresh'),
            ),
          ),
          hosts.rooms,
        ),
      ),
      h(
        'div',
        { class: 'lobby-middle' },
        hosts.back,
        h(
          'div',
          { class: 'heading' },
          h('div', {}, h('h1', {}, t('lobby.title')), h('p', {}, t('lobby.subtitle'))),
        ),
        hosts.rulesets,
        hosts.tiers,
        hosts.calls,
      ),
      h('div', { class: 'lobby-side last' }, hosts.ranks),
    ),
  );
  return { page, hosts };
}

/** @param {HTMLElement} body @param {LobbyIntents} intents */
export function mountLobby(body, intents) {
  const { page, hosts } = build(intents);
  body.append(page);
  const updates = [
    region(hosts.me, (/** @type {LobbyState} */ state) => state.me, drawMe),
    region(
      hosts.rooms,
      (/** @type {LobbyState} */ { rooms, roomsFailed, busy }) => ({ rooms, roomsFailed, busy }),
      (slice) => drawRooms(slice, intents),
    ),
    region(
      hosts.rulesets,
      (/** @type {LobbyState} */ { tiers, ruleset }) => ({ tiers, ruleset }),
      (slice) => drawRulesets(slice, intents),
    ),
    region(
      hosts.back,
      (/** @type {LobbyState} */ state) => state.roomId,
      (roomId) => drawBack(roomId, intents),
    ),
    region(
      hosts.tiers,
      (/** @type {LobbyState} */ { tiers, tiersFailed, ruleset, tier, me }) => ({
        tiers,
        failed: tiersFailed,
        ruleset,
        chosen: tier,
        coins: me.coins,
      }),
      (slice) => drawTiers(slice, intents),
    ),
    region(
      hosts.calls,
      (/** @type {LobbyState} */ state) => ({
        ready: canOpen(state) && state.roomId === null,
        busy: state.busy,
        problem: state.problem,
      }),
      (slice) => drawCalls(slice, intents),
    ),
    region(hosts.ranks, (/** @type {LobbyState} */ state) => state.me.rank, drawRanks),
  ];
  return (/** @type {LobbyState} */ state) => updates.forEach((update) => update(state));
}
