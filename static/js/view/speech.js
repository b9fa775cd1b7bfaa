// @ts-check
/** Events and questions as spoken lines for the live regions. */
import { tileName, tileNames } from '../tiles.js';
import { hasText, t } from '../i18n.js';
import { coinWord } from './coins.js';
import { nameOf } from './seats.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../protocol.js').RoomEvent} RoomEvent
 */

/** @param {State} state @param {number} seat */
const speaker = (state, seat) => (seat === state.view?.you ? t('say.you') : nameOf(state, seat));

/** @param {State} state @param {any} d */
function offerLine(state, d) {
  const offer = t(`ask.${d.offer}`);
  if (d.seats.length === 0) return t('say.offer_none', { offer });
  const names = d.seats.map((/** @type {number} */ seat) => speaker(state, seat)).join(t('say.and'));
  return t('say.offer_by', { names, offer, n: d.multiplier });
}

/** @param {State} state @param {any} d */
function settledLine(state, d) {
  const delta = d.deltas?.[state.view?.you ?? -1] ?? 0;
  if (delta === 0) return '';
  const coins = coinWord(state.view?.room.practice ?? false);
  return t(delta > 0 ? 'say.settled.gain' : 'say.settled.loss', { n: Math.abs(delta), coins });
}

/** @type {Record<string, (state: State, d: any) => string>} */
const LINES = {
  seat_taken: (_, d) => t('say.seat_taken', { name: d.user.name }),
  seat_left: (state, d) => t('say.seat_left', { name: speaker(state, d.seat) }),
  online: (state, d) => (d.seat === state.view?.you ? '' : t('say.online', { name: speaker(state, d.seat) })),
  offline: (state, d) =>
    d.seat === state.view?.you ? '' : t('say.offline', { name: speaker(state, d.seat) }),
  auto_play: (state, d) => t(d.on ? 'say.auto_on' : 'say.auto_off', { name: speaker(state, d.seat) }),
  base_changed: (_, d) => t('say.base_changed', { n: d.base }),
  round_started: (state, d) => t('say.round_started', { n: d.number, name: speaker(state, d.dealer) }),
  offer_closed: offerLine,
  drawn: (state, d) =>
    d.seat === state.view?.you && d.tile ? t('say.drawn.own', { tile: tileName(d.tile) }) : '',
  discarded: (state, d) => t('say.discarded', { name: speaker(state, d.seat), tile: tileName(d.tile) }),
  ready_declared: (state, d) => t('say.ready', { name: speaker(state, d.seat) }),
  chow: (state, d) => t('say.chow', { name: speaker(state, d.seat), tiles: tileNames(d.tiles) }),
  pung: (state, d) => t('say.pung', { name: speaker(state, d.seat), tile: tileName(d.tile) }),
  kong: (state, d) =>
    d.tile
      ? t('say.kong', { name: speaker(state, d.seat), tile: tileName(d.tile) })
      : t('say.kong.hidden', { name: speaker(state, d.seat) }),
  kong_robbed: (state, d) => t('say.kong_robbed', { name: speaker(state, d.seat) }),
  flower: (state, d) => t('say.flower', { name: speaker(state, d.seat), tile: tileName(d.tile) }),
  won: (state, d) => t('say.won', { name: speaker(state, d.seat), n: d.total }),
  exhausted: () => t('say.exhausted'),
  forfeited: (state, d) => t('say.forfeited', { name: speaker(state, d.seat) }),
  voided: () => t('say.voided'),
  settled: settledLine,
};

/** What an event sounds like, or nothing. @param {State} state the state after it @param {RoomEvent} event */
export const eventLine = (state, event) => LINES[event.k]?.(state, event.d) ?? '';

/** A phrase that this page does not know is nothing. @param {{phrase: string, text: string}} said */
export const wordsOf = ({ phrase, text }) =>
  text || (hasText(`phrase.${phrase}`) ? t(`phrase.${phrase}`) : '');

/** @param {State} state @param {NonNullable<State['said']>} said */
export const saidLine = (state, said) =>
  wordsOf(said) && t('say.words', { name: speaker(state, said.seat), words: wordsOf(said) });

/** The question just opened, for the assertive region. @param {State} state */
export function askLine(state) {
  const { ask } = state;
  if (!ask) return '';
  if (ask.q === 'turn') return t('say.turn');
  const acts = [...new Set(ask.opts.map((option) => t(`act.${option.kind}`)))].join(t('say.comma'));
  return t('say.claim', { acts, s: Math.round((ask.base_ms + ask.bank_ms) / 1000) });
}
