// @ts-check
/** Who I am and what I hold; relief for who holds next to nothing. */
import { rankProgress } from '../../ranks.js';
import { formatNumber, t } from '../../i18n.js';
import { h } from '../dom.js';
import { bird } from '../icons.js';
import { openTitles } from '../titles.js';
import { coinsView } from '../coins.js';

/**
 * @typedef {import('../../lobby.js').LobbyState} LobbyState
 * @typedef {import('../../lobby.js').LobbyIntents} LobbyIntents
 * @typedef {import('../../protocol.js').Player} Player
 * @typedef {import('../../protocol.js').Rank} Rank
 * @typedef {import('../../protocol.js').Career} Career
 */

/** Below this the server may help; it decides. */
const POOR = 1_000;

/** The title held, the way to the next one; a press shows all titles. @param {Player} player @param {Rank[]} ranks */
export function standing(player, ranks) {
  const { share } = rankProgress(ranks, player.points);
  const fill = h('i');
  fill.style.width = `${share * 100}%`;
  const ahead = player.next_rank;
  return h(
    'div',
    { class: 'standing' },
    h(
      'button',
      {
        type: 'button',
        class: 'title-button',
        'data-key': 'titles',
        'data-act': 'titles',
        'aria-label': t('titles.open', { rank: player.rank }),
        onclick: () => openTitles(ranks, player.rank),
      },
      player.rank,
    ),
    h(
      'span',
      {},
      ahead
        ? t('lobby.next_rank', { n: ahead.points - player.points, rank: ahead.name })
        : t('lobby.top_rank'),
    ),
    h('div', { class: 'progress' }, fill),
    h('span', {}, t('lobby.points', { n: player.points })),
    ahead && h('span', { class: 'goal' }, formatNumber(ahead.points)),
  );
}

/** @param {string} label @param {string} value */
const figure = (label, value) => h('div', {}, h('dt', {}, label), h('dd', {}, value));

/** @param {Career} career */
export function figures({ rounds, wins, best_fan: best }) {
  const rate = rounds ? `${Math.round((wins / rounds) * 100)}%` : '–';
  return h(
    'dl',
    { class: 'figures' },
    figure(t('figures.rounds'), formatNumber(rounds)),
    figure(t('figures.rate'), rate),
    figure(t('figures.best'), best ? formatNumber(best) : '–'),
  );
}

/** @param {boolean} busy @param {LobbyIntents} intents */
const drawRelief = (busy, intents) =>
  h(
    'button',
    {
      type: 'button',
      class: 'button gold relief',
      'data-testid': 'relief',
      'data-key': 'relief',
      disabled: busy,
      onclick: intents.askRelief,
    },
    t('relief.ask'),
  );

/** @param {boolean} busy @param {LobbyIntents} intents */
const drawDaily = (busy, intents) =>
  h(
    'button',
    {
      ...{ type: 'button', class: 'button gold relief', 'data-testid': 'daily', 'data-key': 'daily' },
      disabled: busy,
      onclick: intents.askDaily,
    },
    t('daily.ask'),
  );

/** @param {Player} me @param {boolean} operates @param {LobbyIntents} intents */
const drawAccount = (me, operates, intents) =>
  h(
    'div',
    { class: 'account-ways' },
    me.guest &&
      h(
        'button',
        {
          ...{ type: 'button', class: 'button gold', 'data-testid': 'keep', 'data-key': 'keep' },
          onclick: intents.keepAccount,
        },
        t('account.keep'),
      ),
    h(
      'button',
      {
        ...{ type: 'button', class: 'button framed', 'data-testid': 'account', 'data-key': 'account' },
        onclick: intents.openAccount,
      },
      t('account.title'),
    ),
    operates && h('a', { class: 'to-desk', href: '/operator', 'data-testid': 'to-desk' }, t('op.title')),
  );

/** @param {Pick<LobbyState, 'me'|'role'|'ranks'|'career'|'daily'|'busy'|'news'>} slice @param {LobbyIntents} intents */
export const drawMe = ({ me, role, ranks, career, daily, busy, news }, intents) =>
  h(
    'section',
    { class: 'panel me' },
    h(
      'div',
      { class: 'face' },
      bird('own'),
      h(
        'a',
        { class: 'player-link', href: `/players/${encodeURIComponent(me.id)}`, 'data-testid': 'me-name' },
        me.name,
      ),
      coinsView(me.coins),
    ),
    drawAccount(me, Boolean(role), intents),
    daily && drawDaily(busy, intents),
    me.coins < POOR && drawRelief(busy, intents),
    h('p', { class: 'news', role: 'status', 'data-testid': 'news' }, news),
    standing(me, ranks),
    career && figures(career),
  );
