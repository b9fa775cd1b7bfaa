// @ts-check
/** The paper panel at the end of a round: win, draw, forfeit, void. */
import { rankProgress } from '../ranks.js';
import { tileName } from '../tiles.js';
import { formatSigned, t } from '../i18n.js';
import { cls, h, region } from './dom.js';
import { bird } from './icons.js';
import { meldView, flowersView } from './melds.js';
import { rankBadge } from './plate.js';
import { drawCompany, drawFooter } from './settlement/footer.js';
import { drawForfeitCoins, drawNothing, drawWinCoins, row } from './settlement/money.js';
import { settlementSlice } from './settlement/slice.js';
import { tileView } from './tile.js';

/**
 * @typedef {import('./settlement/slice.js').Slice} Slice
 * @typedef {import('../intents.js').Intents} Intents
 * @typedef {import('../protocol.js').Hand} Hand
 */

/** The seal's words and the headline. @param {Slice} slice */
function headline({ outcome, result, names }) {
  if (outcome === 'win') {
    const key = result.won?.self_drawn ? 'settle.self_drawn' : 'settle.won';
    return { seal: t(key), who: result.won.seat, name: names[result.won.seat], title: t('settle.title.won') };
  }
  if (outcome === 'forfeit') {
    const who = result.forfeited?.seat ?? 0;
    return { seal: t('settle.forfeit'), who, name: names[who], title: t('settle.title.forfeit') };
  }
  return { seal: t(`settle.${outcome}`), who: null, name: '', title: t(`settle.title.${outcome}`) };
}

/** @param {Slice} slice */
function subtitle({ result, tier, number, names }) {
  const where = t('settle.where', { tier, n: number });
  const { won } = result;
  if (!won || won.self_drawn || won.from === null) return where;
  return `${where} · ${t('settle.by_discard', { name: names[won.from], tile: tileName(won.tile) })}`;
}

/** @param {Slice} slice */
function drawHeader(slice) {
  const { seal, who, name, title } = headline(slice);
  const delta = slice.result.settled?.deltas?.[slice.own] ?? 0;
  const key = delta > 0 ? 'gain' : delta < 0 ? 'loss' : 'none';
  return h(
    'header',
    {},
    h('div', { class: cls('seal', `seal-${slice.outcome}`, delta < 0 && 'lost') }, seal),
    who !== null && h('span', { class: 'winner' }, bird(who === slice.own ? 'own' : 'theirs')),
    h(
      'div',
      { class: 'headline' },
      h('h2', { id: 'settle-title' }, name && h('span', { class: 'name' }, name), title),
      h('p', {}, subtitle(slice)),
    ),
    h(
      'div',
      { class: `net-coins ${key}` },
      h('b', {}, formatSigned(delta)),
      h('span', {}, t(`settle.net.${key}`, { coins: slice.coins })),
    ),
  );
}

/** @param {Hand} hand @param {string[]} concealed @param {string|null} winning */
const drawTiles = (hand, concealed, winning) =>
  h(
    'div',
    { class: 'laid-hand' },
    hand.melds.map((meld) => meldView(meld)),
    h(
      'div',
      { class: 'group concealed' },
      concealed.map((tile) => tileView(tile)),
    ),
    winning && h('div', { class: 'group' }, tileView(winning, 'winning')),
    hand.flowers.length > 0 && h('div', { class: 'flowers' }, flowersView(hand.flowers)),
  );

/** The winner's hand, or both hands of a round without one. @param {Slice} slice */
function drawHands({ result, hands, names, own }) {
  const { won, revealed } = result;
  if (won) return h('div', { class: 'felt-strip' }, drawTiles(hands[won.seat], won.hand, won.tile));
  if (!revealed) return null;
  return h(
    'div',
    { class: 'felt-strip both' },
    [1 - own, own].map((seat) =>
      h(
        'div',
        { class: 'hand-row' },
        h('span', { class: 'label' }, names[seat]),
        drawTiles(hands[seat], revealed.hands[seat] ?? [], null),
      ),
    ),
  );
}

/** @param {any} won */
const drawFans = (won) =>
  h(
    'section',
    { class: 'column' },
    h('h3', {}, t('settle.fans'), h('b', { class: 'red' }, t('settle.fan', { n: won.total }))),
    h(
      'div',
      { class: cls('fans', won.fans.length > 7 && 'many') },
      won.fans.map((/** @type {import('../protocol.js').Fan} */ fan) =>
        row(fan.zh, t('settle.fan', { n: fan.value * fan.count }), {
          note: fan.count > 1 ? t('settle.fan.count', { n: fan.count }) : '',
        }),
      ),
    ),
  );

/** @param {Slice} slice */
function drawColumns(slice) {
  if (slice.outcome === 'win') return [drawFans(slice.result.won), drawWinCoins(slice)];
  return slice.outcome === 'forfeit' ? drawForfeitCoins(slice) : drawNothing(slice);
}

/** @param {Slice} slice */
function drawRank({ result, you, ranks, practice }) {
  const { settled } = result;
  if (!settled || you === null || practice) return null;
  const after = settled.points.after[you];
  const change = after - settled.points.before[you];
  const fill = h('i');
  fill.style.width = `${Math.max(rankProgress(ranks, after).share * 100, 1.5)}%`;
  return h(
    'div',
    { class: 'rank-line' },
    rankBadge(settled.ranks.after[you]),
    h('div', { class: 'progress' }, fill),
    h(
      'span',
      {},
      t('settle.points', { n: after }),
      ' ',
      h('b', { class: change < 0 ? 'down' : 'up' }, formatSigned(change)),
    ),
  );
}

/** @param {Slice|null} slice @param {Intents} intents */
function drawSettlement(slice, intents) {
  if (!slice) return null;
  const { settled = {} } = slice.result;
  return h(
    'div',
    { class: 'veil' },
    h(
      'div',
      {
        class: `settlement ${slice.outcome}`,
        role: 'dialog',
        'aria-labelledby': 'settle-title',
        'data-testid': 'settlement',
        'data-outcome': slice.outcome,
        'data-total': settled.total ?? 0,
        'data-amount': settled.amount ?? 0,
        'data-rake': settled.rake ?? 0,
        'data-multiplier': settled.multiplier ?? 1,
        'data-coins': settled.coins?.after[slice.own] ?? '',
        'data-points': settled.points?.after[slice.own] ?? '',
        'data-delta': settled.deltas?.[slice.own] ?? 0,
      },
      drawHeader(slice),
      drawHands(slice),
      h('div', { class: 'columns' }, drawColumns(slice)),
      h('div', { class: 'after' }, drawRank(slice), drawCompany(slice)),
      drawFooter(slice, intents),
    ),
  );
}

/** @param {Element} host @param {Intents} intents */
export const mountSettlement = (host, intents) =>
  region(host, settlementSlice, (slice) => drawSettlement(slice, intents));
