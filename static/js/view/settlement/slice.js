// @ts-check
/** What the panel at the end of a round shows. */
import { isComputer } from '../../protocol.js';
import { canAnswer } from '../../state.js';
import { coinWord } from '../coins.js';
import { isResultShown, isWatching, nameOf, ownSeat, theirSeat } from '../seats.js';
import { isSearching } from '../waiting.js';

/** @typedef {import('../../state.js').State} State */

/** @param {import('../../protocol.js').Result} result */
function outcomeOf(result) {
  if (result.voided) return 'void';
  return result.settled?.outcome ?? 'draw';
}

/** The seat whose coins head the panel: one's own; a watcher sees who has gained. @param {State} state @param {import('../../protocol.js').Result} result */
function headingSeat(state, result) {
  const gains = (result.settled?.deltas ?? []).findIndex((/** @type {number} */ delta) => delta > 0);
  return isWatching(state) && gains >= 0 ? gains : ownSeat(state);
}

/** What is known of the other's will to go on: his answer shows only by the round that starts. @param {State} state */
function partnerState(state) {
  const partner = state.view?.seats[theirSeat(state)];
  if (!partner) return 'gone';
  if (isComputer(partner.user)) return 'ready';
  if (!partner.online) return 'offline';
  if (state.confirmedUntil !== null) return 'deciding';
  return partner.auto ? 'auto' : 'here';
}

/** @param {State} state */
export function settlementSlice(state) {
  const { round = null, room = null, you = null } = state.view ?? {};
  if (!round?.result || !room || !isResultShown(state)) return null;
  const confirm =
    state.ask?.q === 'confirm' ? (state.ask.opts.find((o) => o.kind === 'confirm') ?? null) : null;
  return {
    outcome: outcomeOf(round.result),
    result: round.result,
    you,
    own: headingSeat(state, round.result),
    names: [nameOf(state, 0), nameOf(state, 1)],
    hands: round.hands,
    openers: round.openers.length,
    doublers: round.doublers.length,
    tier: room.tier_name,
    practice: room.practice,
    coins: coinWord(room.practice),
    number: round.number,
    round: round.id,
    ranks: state.book?.ranks ?? [],
    escapeFactor: state.book?.escape_factor ?? null,
    rakeBp: state.rakeBp,
    fair: state.fair,
    confirm: confirm?.o ?? null,
    enabled: canAnswer(state),
    confirmed: state.confirmedUntil !== null,
    partner: partnerState(state),
    phase: room.phase,
    searching: isSearching(state),
  };
}

/** @typedef {NonNullable<ReturnType<typeof settlementSlice>>} Slice */
