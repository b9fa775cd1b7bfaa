// @ts-check
/** A round on one page: who, how it ended, both hands, what was done, the wall, and the proof of the shuffle. */
import { isComputer } from '../protocol.js';
import { formatMoment, formatNumber, formatRate, formatSigned, t } from '../i18n.js';
import { tileName } from '../tiles.js';
import { coinWord } from './coins.js';
import { cls, h } from './dom.js';
import { framed } from './frame.js';
import { playerLink } from './lists.js';
import { meldView } from './melds.js';
import { actionLine, meldsOf } from './record-actions.js';
import { tileView } from './tile.js';

/**
 * @typedef {{
 *   id: string, number: number, tier: {id: string, name: string}, rake_bp: number, base: number,
 *   players: {id: string, name: string}[], dealer: number|null, actions: [number, string][],
 *   result: any, proof: any, ended_ms: number
 * }} RoundRecord
 * @typedef {{verdict: 'kept'|'broken'|'unable', computed: string}} Check
 */

/** @param {string} title @param {...any} content */
const panel = (title, ...content) => h('section', { class: 'panel' }, h('h2', {}, title), ...content);

/** @param {string} label @param {any} value @param {string} [tone] */
const line = (label, value, tone = '') =>
  h('div', { class: 'fact' }, h('dt', {}, label), h('dd', { class: tone }, value));

/** @param {RoundRecord} record */
function outcomeWords({ players, result }) {
  const { won, forfeited } = result;
  if (won) {
    const how = won.self_drawn
      ? t('settle.self_drawn')
      : t('settle.by_discard', { name: players[won.from].name, tile: tileName(won.tile) });
    return t('record.won', { name: players[won.seat].name, n: won.total, how });
  }
  return forfeited ? t('record.forfeited', { name: players[forfeited.seat].name }) : t('settle.title.draw');
}

/** The computer has no page of its own. @param {import('../protocol.js').User} player */
const whoLink = (player) => (isComputer(player) ? h('span', {}, player.name) : playerLink(player));

/** With the computer one plays for practice coins, and for no points. @param {RoundRecord} record */
const isPractice = ({ players }) => players.some(isComputer);

/** @param {RoundRecord} record */
const drawHead = (record) =>
  h(
    'header',
    { class: 'record-head' },
    h('h1', {}, t('settle.where', { tier: record.tier.name, n: record.number })),
    h('p', {}, formatMoment(record.ended_ms), ' · ', t('hub.base'), ' ', formatNumber(record.base)),
    h(
      'p',
      { class: 'versus' },
      whoLink(record.players[0]),
      h('i', {}, t('record.versus')),
      whoLink(record.players[1]),
    ),
    h('p', { class: 'outcome', 'data-testid': 'outcome' }, outcomeWords(record)),
  );

/** @param {RoundRecord} record */
const drawFans = ({ result: { won } }) =>
  won &&
  panel(
    t('settle.fans'),
    h(
      'dl',
      { class: 'facts' },
      won.fans.map((/** @type {import('../protocol.js').Fan} */ fan) =>
        line(
          fan.count > 1 ? `${fan.zh} ${t('settle.fan.count', { n: fan.count })}` : fan.zh,
          t('settle.fan', { n: fan.value * fan.count }),
        ),
      ),
    ),
  );

/** @param {number} delta */
const tone = (delta) => (delta > 0 ? 'up' : delta < 0 ? 'down' : '');

/** What a player won or lost. @param {RoundRecord} record @param {number} seat */
function standingLines(record, seat) {
  const { name } = record.players[seat];
  const { deltas, points } = record.result.settled;
  const coins = coinWord(isPractice(record));
  return [
    line(t('record.coins_of', { name, coins }), formatSigned(deltas[seat]), tone(deltas[seat])),
    !isPractice(record) &&
      line(t('record.points_of', { name }), formatSigned(points.after[seat] - points.before[seat])),
  ];
}

/** @param {RoundRecord} record */
function drawCoins(record) {
  const { settled } = record.result;
  return panel(
    t('record.settlement'),
    h(
      'dl',
      { class: 'facts' },
      line(t('hub.multiplier'), t('hub.times', { n: settled.multiplier })),
      line(settled.capped ? t('settle.capped') : t('record.amount'), formatNumber(settled.amount)),
      line(t('record.rake', { rate: formatRate(record.rake_bp) }), formatNumber(settled.rake)),
      [0, 1].map((seat) => standingLines(record, seat)),
    ),
  );
}

/** @param {string[]} tiles @param {string} [winning] @param {import('../protocol.js').Meld[]} [melds] */
const tileRow = (tiles, winning, melds = []) =>
  h(
    'div',
    { class: 'tile-row' },
    melds.map((meld) => meldView(meld)),
    tiles.map((tile) => tileView(tile)),
    winning && tileView(winning, 'winning'),
  );

/** @param {RoundRecord} record */
const drawHands = ({ players, actions, result: { won, revealed } }) =>
  panel(
    t('settle.hands'),
    players.map(({ name }, seat) =>
      h(
        'div',
        { class: 'hand-of' },
        h('h3', {}, name),
        tileRow(
          won?.seat === seat ? won.hand : (revealed.hands[seat] ?? []),
          won?.seat === seat ? won.tile : undefined,
          meldsOf(actions, seat),
        ),
      ),
    ),
  );

/** @param {RoundRecord} record */
const drawActions = ({ players, actions }) =>
  panel(
    t('record.actions'),
    h(
      'ol',
      { class: 'moves' },
      actions.flatMap(([seat, code]) => {
        const words = actionLine(code, players[seat]?.name ?? '');
        return words ? [h('li', { class: cls('move', seat === 1 && 'second') }, words)] : [];
      }),
    ),
  );

/** @param {string} label @param {string} hex */
const hexLine = (label, hex) =>
  h('div', { class: 'fact hex' }, h('dt', {}, label), h('dd', {}, h('code', {}, hex)));

/** @param {RoundRecord} record @param {Check} check */
const drawProof = ({ proof, players }, { verdict, computed }) =>
  panel(
    t('proof.title'),
    h(
      'p',
      { class: `verdict ${verdict}`, role: 'status', 'data-testid': 'verdict', 'data-verdict': verdict },
      t(`proof.${verdict}`),
    ),
    h('p', { class: 'why' }, t('proof.why')),
    h(
      'dl',
      { class: 'facts' },
      hexLine(t('proof.commitment'), proof.commitment),
      computed && hexLine(t('proof.computed'), computed),
      hexLine(t('proof.secret'), proof.secret),
      hexLine(t('proof.nonce'), proof.nonce),
      (proof.entropy ?? []).map((/** @type {string} */ hex, /** @type {number} */ seat) =>
        hexLine(t('proof.entropy', { name: players[seat].name }), hex),
      ),
      hexLine(t('proof.version'), `${proof.shuffle}:${proof.round_id}`),
    ),
  );

/** @param {HTMLElement} body @param {RoundRecord} record @param {Check} check */
export function mountRecord(body, record, check) {
  const main = h(
    'main',
    { class: 'column-page record' },
    drawHead(record),
    drawHands(record),
    h('div', { class: 'side-by-side' }, drawFans(record), drawCoins(record)),
    drawActions(record),
    panel(t('record.wall'), tileRow(record.result.revealed.wall)),
    drawProof(record, check),
  );
  body.append(framed('', 'record-page', main));
}
