// @ts-check
/** The paper panel at the end of a round: win, draw, forfeit, void. */
import { canAnswer } from '../state.js';
import { rankProgress } from '../ranks.js';
import { tileName } from '../tiles.js';
import { formatNumber, formatRate, formatSigned, t } from '../i18n.js';
import { cls, h, region } from './dom.js';
import { bird } from './icons.js';
import { meldView, flowersView } from './melds.js';
import { rankBadge } from './plate.js';
import { isResultShown, nameOf, ownSeat } from './seats.js';
import { tileView } from './tile.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 * @typedef {import('../protocol.js').Hand} Hand
 */

/** @param {import('../protocol.js').Result} result */
function outcomeOf(result) {
  if (result.voided) return 'void';
  return result.settled?.outcome ?? 'draw';
}

/** @param {State} state */
function settlementSlice(state) {
  const { round = null, room = null } = state.view ?? {};
  if (!round?.result || !room || !isResultShown(state)) return null;
  const own = ownSeat(state);
  const confirm =
    state.ask?.q === 'confirm' ? (state.ask.opts.find((o) => o.kind === 'confirm') ?? null) : null;
  return {
    outcome: outcomeOf(round.result),
    result: round.result,
    own,
    names: [nameOf(state, 0), nameOf(state, 1)],
    hands: round.hands,
    openers: round.openers.length,
    doublers: round.doublers.length,
    tier: room.tier_name,
    number: round.number,
    round: round.id,
    ranks: state.book?.ranks ?? [],
    escapeFactor: state.book?.escape_factor ?? null,
    rakeBp: state.rakeBp,
    fair: state.fair,
    confirm: confirm?.o ?? null,
    enabled: canAnswer(state),
    confirmed: state.confirmed,
    alone: room.phase === 'waiting' || room.phase === 'closed',
  };
}

/** @typedef {NonNullable<ReturnType<typeof settlementSlice>>} Slice */

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
      h('span', {}, t(`settle.net.${key}`)),
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

/** @param {string} label @param {string} value @param {{note?: string, tone?: string}} [more] */
const row = (label, value, { note = '', tone = '' } = {}) =>
  h('div', { class: 'row' }, h('span', {}, label, note && h('i', {}, note)), h('b', { class: tone }, value));

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

/** What the multiplier is made of. @param {Slice} slice */
function factorWords({ result, openers, doublers }) {
  const { open, double, ready } = result.settled.factors;
  const parts = [
    open > 1 && t(openers > 1 ? 'settle.factor.open.both' : 'settle.factor.open', { n: open }),
    double > 1 && t(doublers > 1 ? 'settle.factor.double.both' : 'settle.factor.double', { n: double }),
    ready > 1 && t('settle.factor.ready', { n: ready }),
  ];
  return parts.filter(Boolean).join(' · ') || t('settle.factor.none');
}

/** @param {Slice} slice @param {any} settled */
function drawFormula(slice, settled) {
  const product = settled.total * settled.base * settled.multiplier;
  return h(
    'div',
    { class: 'formula' },
    h('b', {}, formatNumber(settled.total)),
    t('settle.formula.fan'),
    h('b', {}, formatNumber(settled.base)),
    t('settle.formula.times'),
    h('b', {}, formatNumber(settled.multiplier)),
    t('settle.formula.equals'),
    h('b', {}, formatNumber(product)),
  );
}

/** @param {Slice} slice */
function drawWinCoins(slice) {
  const { settled } = slice.result;
  const { names } = slice;
  const winner = settled.winner;
  const loser = 1 - winner;
  return h(
    'section',
    { class: 'column' },
    h('h3', {}, t('settle.coins'), h('b', {}, t('hub.times', { n: settled.multiplier }))),
    drawFormula(slice, settled),
    settled.capped && row(t('settle.capped'), formatNumber(settled.amount), { note: t('settle.capped.why') }),
    row(t('settle.multiplier'), t('hub.times', { n: settled.multiplier }), { note: factorWords(slice) }),
    row(t('settle.pays', { name: names[loser] }), formatSigned(settled.deltas[loser]), { tone: 'down' }),
    row(t('settle.rake'), formatSigned(-settled.rake), {
      note: slice.rakeBp === null ? '' : formatRate(slice.rakeBp),
      tone: settled.rake ? 'down' : '',
    }),
    row(t('settle.nets', { name: names[winner] }), formatSigned(settled.deltas[winner]), { tone: 'up' }),
    row(t('settle.balance'), formatNumber(settled.coins.after[slice.own])),
  );
}

/** @param {Slice} slice */
function drawForfeitCoins({ result, names, own, escapeFactor }) {
  const { settled, forfeited } = result;
  const escaper = forfeited.seat;
  return h(
    'section',
    { class: 'column whole' },
    h('h3', {}, t('settle.penalty'), h('b', { class: 'red' }, formatNumber(settled.amount))),
    escapeFactor !== null &&
      h('p', { class: 'why' }, t('settle.forfeit.why', { base: settled.base, n: escapeFactor })),
    row(t('settle.pays', { name: names[escaper] }), formatSigned(settled.deltas[escaper]), { tone: 'down' }),
    row(t('settle.rake'), formatSigned(-settled.rake), { tone: settled.rake ? 'down' : '' }),
    row(t('settle.nets', { name: names[1 - escaper] }), formatSigned(settled.deltas[1 - escaper]), {
      tone: 'up',
    }),
    row(t('settle.balance'), formatNumber(settled.coins.after[own])),
  );
}

/** @param {Slice} slice */
function drawNothing({ outcome, result, own }) {
  const { settled, voided } = result;
  const why = outcome === 'void' ? t('settle.void.why') : t('settle.nothing');
  return h(
    'section',
    { class: 'column whole' },
    h('p', { class: 'why' }, why),
    voided?.reason && h('p', { class: 'why' }, t('settle.void.reason', { reason: voided.reason })),
    settled && row(t('settle.balance'), formatNumber(settled.coins.after[own])),
  );
}

/** @param {Slice} slice */
function drawColumns(slice) {
  if (slice.outcome === 'win') return [drawFans(slice.result.won), drawWinCoins(slice)];
  return slice.outcome === 'forfeit' ? drawForfeitCoins(slice) : drawNothing(slice);
}

/** @param {Slice} slice */
function drawRank({ result, own, ranks }) {
  const { settled } = result;
  if (!settled) return null;
  const after = settled.points.after[own];
  const change = after - settled.points.before[own];
  const fill = h('i');
  fill.style.width = `${Math.max(rankProgress(ranks, after).share * 100, 1.5)}%`;
  return h(
    'div',
    { class: 'rank-line' },
    rankBadge(settled.ranks.after[own]),
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

/** @param {Slice} slice @param {Intents} intents */
function drawAgain({ confirm, confirmed, enabled }, intents) {
  if (confirmed) {
    return h(
      'button',
      { type: 'button', class: 'button primary', disabled: true, 'data-testid': 'confirmed' },
      t('settle.confirmed'),
    );
  }
  if (!confirm) return null;
  return h(
    'button',
    {
      type: 'button',
      class: 'button primary again',
      'data-o': confirm,
      'data-key': 'again',
      disabled: !enabled,
      onclick: () => intents.answer(confirm),
    },
    t('settle.again'),
    h('small', { 'data-tick': 'seconds' }),
  );
}

/** What else there is to know: that nobody sits opposite, or that the shuffle is the one promised. @param {Slice} slice */
function drawNote({ alone, fair }) {
  if (alone) return h('span', { class: 'note', role: 'status' }, t('settle.alone'));
  return fair === 'kept' && h('span', { class: 'note fair' }, t('settle.fair.kept'));
}

/** The record opens beside the table: the next round may begin meanwhile. @param {string} round */
const drawRecordLink = (round) =>
  h(
    'a',
    {
      class: 'button',
      'data-act': 'settle-record',
      'data-key': 'settle-record',
      href: `/replay/${encodeURIComponent(round)}`,
      target: '_blank',
      rel: 'noopener',
    },
    t('settle.record'),
  );

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
      drawRank(slice),
      h(
        'footer',
        {},
        drawNote(slice),
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            'data-act': 'settle-leave',
            'data-key': 'settle-leave',
            onclick: intents.leave,
          },
          t('settle.leave'),
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            'data-act': 'settle-table',
            'data-key': 'settle-table',
            onclick: () => intents.hideResult(true),
          },
          t('settle.table'),
        ),
        slice.result.settled && drawRecordLink(slice.round),
        drawAgain(slice, intents),
      ),
    ),
  );
}

/** @param {Element} host @param {Intents} intents */
export const mountSettlement = (host, intents) =>
  region(host, settlementSlice, (slice) => drawSettlement(slice, intents));
