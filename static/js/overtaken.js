// @ts-check
/** When an open question is history: an event has told that it was decided otherwise. */

const PLAY = [
  'drawn',
  'discarded',
  'chow',
  'pung',
  'kong',
  'won',
  'exhausted',
  'forfeited',
  'voided',
  'settled',
];
const OFFER = ['offer_closed', 'dealt', 'won', 'exhausted', 'forfeited', 'voided', 'settled'];

/** By question; those not named are offers. @type {Record<string, string[]>} */
const OVERTAKES = {
  confirm: ['round_started', 'seat_left', 'seat_taken', 'base_changed', 'room_closed'],
  turn: PLAY,
  claim: PLAY,
};

/** @param {import('./protocol.js').Ask} ask @param {string} kind of the event */
export const isOvertaken = ({ q }, kind) => (OVERTAKES[q] ?? OFFER).includes(kind);
