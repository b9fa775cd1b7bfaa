// @ts-check
/** The lobby put together: every part draws itself from the one state. */
import { formatElapsed, t } from '../i18n.js';
import { h, region } from './dom.js';
import { framed } from './frame.js';
import { drawBoard, drawLists } from './lobby/lists.js';
import { drawMe } from './lobby/me.js';
import { drawSearch } from './lobby/search.js';
import { chosenTier, drawCalls, drawRulesets, drawTiers } from './lobby/tiers.js';

/**
 * @typedef {import('../lobby.js').LobbyState} LobbyState
 * @typedef {import('../lobby.js').LobbyIntents} LobbyIntents
 */

const TICK_MS = 250;

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
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    const code = input.value.trim();
    if (code) intents.joinByCode(code);
  };
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, t('lobby.private')),
    h(
      'form',
      { class: 'code-entry', onsubmit },
      input,
      h('button', { type: 'submit', class: 'button gold', 'data-testid': 'invite-join' }, t('lobby.join')),
    ),
  );
}

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

/** @param {LobbyIntents} intents */
function build(intents) {
  const hosts = {
    me: h('div', { class: 'me-host' }),
    lists: h('div', { class: 'lists-host' }),
    rulesets: h('div', { class: 'segments', role: 'radiogroup', 'aria-label': t('lobby.rules') }),
    back: h('div', { class: 'back-host' }),
    tiers: h('div', { class: 'tiers', role: 'radiogroup', 'aria-label': t('lobby.title') }),
    calls: h('div', { class: 'calls' }),
    board: h('section', { class: 'panel board-panel' }),
    search: h('div', { class: 'search-host' }),
  };
  const columns = h(
    'main',
    { class: 'lobby-columns' },
    h('div', { class: 'lobby-side first' }, hosts.me, buildCodeEntry(intents), hosts.lists),
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
    h('div', { class: 'lobby-side last' }, hosts.board),
  );
  return { page: framed('lobby', 'lobby-home', columns), hosts };
}

/**
 * @template T
 * @param {Element} host
 * @param {(state: LobbyState) => T} select
 * @param {(slice: T, intents: LobbyIntents) => any} draw
 * @param {LobbyIntents} intents
 */
const part = (host, select, draw, intents) => region(host, select, (slice) => draw(slice, intents));

/** @param {ReturnType<typeof build>['hosts']} hosts @param {LobbyIntents} intents */
const parts = (hosts, intents) => [
  part(
    hosts.me,
    ({ me, role, ranks, career, daily, busy, news }) => ({ me, role, ranks, career, daily, busy, news }),
    drawMe,
    intents,
  ),
  part(
    hosts.lists,
    ({ list, rooms, roomsFailed, watched, watchedFailed, played, playedFailed, busy }) => ({
      ...{ list, rooms, roomsFailed, watched, watchedFailed, played, playedFailed, busy },
    }),
    drawLists,
    intents,
  ),
  part(hosts.rulesets, ({ tiers, ruleset }) => ({ tiers, ruleset }), drawRulesets, intents),
  part(hosts.back, ({ roomId }) => roomId, drawBack, intents),
  part(
    hosts.tiers,
    ({ tiers, tiersFailed: failed, ruleset, tier: chosen, lastTier: last, me }) => ({
      ...{ tiers, failed, ruleset, chosen, last, coins: me.coins },
    }),
    drawTiers,
    intents,
  ),
  part(
    hosts.calls,
    (state) => ({ ...chosenTier(state), busy: state.busy, problem: state.problem }),
    drawCalls,
    intents,
  ),
  part(
    hosts.board,
    ({ board, boardFailed: failed, me }) => ({ board, failed, own: me.id }),
    drawBoard,
    intents,
  ),
  part(
    hosts.search,
    ({ search, tiers }) => ({ search, tier: tiers?.find((tier) => tier.id === search?.tier) ?? null }),
    drawSearch,
    intents,
  ),
];

/** @param {HTMLElement} body @param {LobbyIntents} intents */
export function mountLobby(body, intents) {
  const { page, hosts } = build(intents);
  body.append(page, hosts.search);
  const updates = parts(hosts, intents);
  /** @type {LobbyState['search']} */
  let search = null;
  const tick = () => {
    for (const element of document.querySelectorAll('[data-tick=elapsed]')) {
      if (search)
        element.textContent = t('search.elapsed', { time: formatElapsed(Date.now() - search.since) });
    }
  };
  setInterval(tick, TICK_MS);
  return (/** @type {LobbyState} */ state) => {
    const begins = state.search !== null && search === null;
    const ends = state.search === null && search !== null;
    search = state.search;
    page.inert = search !== null;
    updates.forEach((update) => update(state));
    tick();
    if (begins) focusOn(hosts.search, 'h1');
    if (ends) focusOn(page, '[data-testid=quick-start]');
  };
}

/** @param {Element} host @param {string} selector */
function focusOn(host, selector) {
  const element = host.querySelector(selector);
  if (!(element instanceof HTMLElement)) return;
  if (element.tagName === 'H1') element.tabIndex = -1;
  element.focus();
}
