// @ts-check
/**
 * One event onto a view. The result equals what the server's `snap` would say at that number:
 * docs/PROTOCOL.md §1.4 and §1.5. Pure; nothing that comes in is changed.
 *
 * @typedef {import('./protocol.js').View} View
 * @typedef {import('./protocol.js').Hand} Hand
 * @typedef {import('./protocol.js').Round} Round
 * @typedef {import('./protocol.js').Seat} Seat
 */
import { sortTiles, withoutTile } from './tiles.js';

const HIDDEN = '?';

/** @param {number} seat */
const other = (seat) => 1 - seat;

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} at
 * @param {T} value
 */
const replaced = (list, at, value) => list.map((item, i) => (i === at ? value : item));

/** @param {View} view @param {Partial<View['room']>} patch @returns {View} */
const patchRoom = (view, patch) => ({ ...view, room: { ...view.room, ...patch } });

/** @param {View} view @param {Partial<Round>} patch @returns {View} */
const patchRound = (view, patch) => (view.round ? { ...view, round: { ...view.round, ...patch } } : view);

/** @param {View} view @param {number} at @param {Partial<Seat>} patch @returns {View} */
function patchSeat(view, at, patch) {
  const seat = view.seats[at];
  return seat ? { ...view, seats: replaced(view.seats, at, { ...seat, ...patch }) } : view;
}

/** @param {View} view @param {number} at @param {(hand: Hand) => Partial<Hand>} change @returns {View} */
function patchHand(view, at, change) {
  if (!view.round) return view;
  const hand = view.round.hands[at];
  return patchRound(view, { hands: replaced(view.round.hands, at, { ...hand, ...change(hand) }) });
}

/** @param {View} view @param {object} part @returns {View} */
const patchResult = (view, part) => patchRound(view, { result: { ...view.round?.result, ...part } });

/** @returns {Hand} */
const emptyHand = () => ({
  count: 0,
  tiles: null,
  drawn: null,
  melds: [],
  flowers: [],
  discards: [],
  ready: null,
});

/**
 * The concealed tiles after the drawn one has joined them and `gone` have left.
 * @param {Hand} hand
 * @param {readonly string[]} gone
 */
function concealedAfter(hand, gone) {
  if (!hand.tiles) return null;
  const all = hand.drawn && hand.drawn !== HIDDEN ? [...hand.tiles, hand.drawn] : hand.tiles;
  return sortTiles(gone.reduce(withoutTile, all));
}

/**
 * Marks the tile that lies last in a river.
 * @param {Hand} hand
 * @param {Partial<Hand['discards'][number]>} patch
 */
const markLastDiscard = (hand, patch) => ({
  discards: hand.discards.map((item, i) => (i === hand.discards.length - 1 ? { ...item, ...patch } : item)),
});

/**
 * A chow, a pung or an exposed kong: tiles leave the hand, the claimed one leaves the opponent's river.
 * @param {View} view
 * @param {number} seat
 * @param {string} type
 * @param {string[]} tiles all tiles of the set
 * @param {string} claimed
 */
function claim(view, seat, type, tiles, claimed) {
  const own = withoutTile(tiles, claimed);
  const taken = patchHand(view, other(seat), (hand) => markLastDiscard(hand, { claimed: true }));
  const laid = patchHand(taken, seat, (hand) => ({
    count: hand.count - own.length,
    tiles: concealedAfter(hand, own),
    melds: [...hand.melds, { type, tiles, claimed }],
  }));
  return patchRound(laid, { phase: 'turn', turn: seat, last: null });
}

/** @param {View} view @param {{seat: number, tile: string|null}} d */
const concealedKong = (view, d) =>
  patchHand(view, d.seat, (hand) => ({
    count: hand.count - 4,
    tiles: concealedAfter(hand, d.tile ? Array(4).fill(d.tile) : []),
    drawn: null,
    melds: [
      ...hand.melds,
      { type: 'concealed_kong', tiles: d.tile ? Array(4).fill(d.tile) : null, claimed: null },
    ],
  }));

/** @param {View} view @param {{seat: number, tile: string}} d */
function addedKong(view, d) {
  const laid = patchHand(view, d.seat, (hand) => ({
    count: hand.count - 1,
    tiles: concealedAfter(hand, [d.tile]),
    drawn: null,
    melds: hand.melds.map((meld) =>
      meld.type === 'pung' && meld.tiles?.[0] === d.tile
        ? { ...meld, type: 'added_kong', tiles: Array(4).fill(d.tile) }
        : meld,
    ),
  }));
  return patchRound(laid, {
    phase: 'reaction',
    turn: other(d.seat),
    last: { seat: d.seat, tile: d.tile, kind: 'kong' },
  });
}

/**
 * A flower leaves the hand; what replaces it is the tile drawn last where there is one, else it joins the
 * others. Without a replacement the hand is a tile short; a hidden one shows that only when the round ends.
 * @param {Hand} hand
 * @param {{tile: string, replacement: string|null}} d
 * @returns {Partial<Hand>}
 */
function withFlowerLaid(hand, d) {
  const flowers = [...hand.flowers, d.tile];
  if (!hand.tiles) return { flowers };
  if (hand.drawn) {
    const count = d.replacement ? hand.count : hand.count - 1;
    return { flowers, count, tiles: concealedAfter(hand, [d.tile]), drawn: d.replacement };
  }
  const tiles = withoutTile(hand.tiles, d.tile);
  return { flowers, tiles: sortTiles(d.replacement ? [...tiles, d.replacement] : tiles) };
}

/** A tile still in hand at the end of the wall was a flower that nothing could replace. @param {View} view */
const withoutLastFlower = (view) =>
  [0, 1].reduce(
    (/** @type {View} */ next, seat) =>
      patchHand(next, seat, (hand) => (hand.drawn ? { drawn: null, count: hand.count - 1 } : {})),
    view,
  );

/** @param {View} view @param {number[]} coins by seat @returns {View} */
const withCoins = (view, coins) =>
  view.seats.reduce((/** @type {View} */ next, _, at) => patchSeat(next, at, { coins: coins[at] }), view);

/** @param {View} view @param {object} part of the result @returns {View} */
const ended = (view, part) =>
  patchResult(patchRound(view, { phase: 'ended', turn: null, offer: null, last: null }), part);

/** @type {Record<string, (view: View, d: any) => View>} */
const FOLDS = {
  seat_taken(view, d) {
    const seat = {
      user: d.user,
      coins: d.coins,
      points: d.points,
      rank: d.rank,
      online: false,
      auto: false,
    };
    const seats = replaced(view.seats, d.seat, seat);
    return patchRoom({ ...view, seats }, { phase: seats.every(Boolean) ? 'confirm' : 'waiting' });
  },
  seat_left: (view, d) =>
    patchRoom({ ...view, seats: replaced(view.seats, d.seat, null) }, { phase: 'waiting' }),
  online: (view, d) => patchSeat(view, d.seat, { online: true }),
  offline: (view, d) => patchSeat(view, d.seat, { online: false }),
  auto_play: (view, d) => patchSeat(view, d.seat, { auto: d.on }),
  base_changed: (view, d) => patchRoom(view, { base: d.base }),
  paused: (view, d) => patchRoom(view, { paused: d.reason }),
  room_closed: (view) => patchRoom(view, { phase: 'closed' }),

  round_started(view, d) {
    /** @type {Round} */
    const round = {
      id: d.round_id,
      number: d.number,
      commitment: d.commitment,
      shuffle: d.shuffle,
      base: d.base,
      dealer: d.dealer,
      prevalent: d.prevalent,
      seat_winds: d.seat_winds,
      phase: 'turn',
      turn: null,
      offer: null,
      dice: null,
      wall: 0,
      openers: [],
      doublers: [],
      multiplier: 1,
      hands: [emptyHand(), emptyHand()],
      last: null,
      result: null,
    };
    return { ...patchRoom(withCoins(view, d.coins), { phase: 'playing' }), round };
  },
  offer_opened: (view, d) => patchRound(view, { phase: d.offer, offer: d.offer, turn: null }),
  offer_closed(view, d) {
    const patch = { offer: null, multiplier: d.multiplier };
    if (d.offer === 'open_hand') return patchRound(view, { ...patch, openers: d.seats });
    const turn = view.round?.dealer ?? null;
    return patchRound(view, { ...patch, doublers: d.seats, phase: 'turn', turn });
  },
  dealt(view, d) {
    if (!view.round) return view;
    const { dealer } = view.round;
    const hands = view.round.hands.map((hand, seat) => ({
      ...hand,
      count: seat === dealer ? 14 : 13,
      tiles: d.hands[seat] ? sortTiles(d.hands[seat]) : null,
      drawn: seat === dealer ? (d.drawn ?? HIDDEN) : null,
    }));
    return patchRound(view, { dice: d.dice, wall: d.wall, phase: 'turn', turn: dealer, hands });
  },
  flower: (view, d) =>
    patchRound(
      patchHand(view, d.seat, (hand) => withFlowerLaid(hand, d)),
      { wall: d.wall },
    ),
  drawn(view, d) {
    const drawn = patchHand(view, d.seat, (hand) => ({
      count: hand.count + 1,
      drawn: d.tile ?? HIDDEN,
    }));
    return patchRound(drawn, { phase: 'turn', turn: d.seat, last: null, wall: d.wall });
  },
  discarded(view, d) {
    const laid = patchHand(view, d.seat, (hand) => ({
      count: hand.count - 1,
      tiles: concealedAfter(hand, [d.tile]),
      drawn: null,
      discards: [...hand.discards, { tile: d.tile, from_draw: d.from_draw, claimed: false, ready: false }],
    }));
    return patchRound(laid, {
      phase: 'reaction',
      turn: other(d.seat),
      last: { seat: d.seat, tile: d.tile, kind: 'discard' },
    });
  },
  ready_declared: (view, d) =>
    patchHand(view, d.seat, (hand) => ({
      ready: d.heavenly ? 'heavenly' : 'ready',
      ...(view.round?.last?.seat === d.seat ? markLastDiscard(hand, { ready: true }) : {}),
    })),
  chow: (view, d) => claim(view, d.seat, 'chow', sortTiles(d.tiles), d.tile),
  pung: (view, d) => claim(view, d.seat, 'pung', Array(3).fill(d.tile), d.tile),
  kong(view, d) {
    if (d.how === 'exposed') {
      return claim(view, d.seat, 'exposed_kong', Array(4).fill(d.tile), d.tile);
    }
    return d.how === 'concealed' ? concealedKong(view, d) : addedKong(view, d);
  },
  kong_robbed: (view, d) =>
    patchHand(view, d.seat, (hand) => ({
      melds: hand.melds.map((meld) =>
        meld.type === 'added_kong' && meld.tiles?.[0] === d.tile
          ? { ...meld, type: 'pung', tiles: Array(3).fill(d.tile) }
          : meld,
      ),
    })),

  won: (view, d) => ended(view, { won: d }),
  exhausted: (view) => withoutLastFlower(ended(view, { exhausted: true })),
  forfeited: (view, d) => ended(view, { forfeited: d }),
  voided: (view, d) => withCoins(ended(view, { voided: d }), d.coins),
  settled(view, d) {
    const paid = withCoins(patchResult(view, { settled: d }), d.coins.after);
    return paid.seats.reduce(
      (/** @type {View} */ next, _, at) =>
        patchSeat(next, at, { points: d.points.after[at], rank: d.ranks.after[at] }),
      paid,
    );
  },
  revealed: (view, d) => patchRoom(patchResult(view, { revealed: d }), { phase: 'confirm' }),
};

/**
 * @param {View} view
 * @param {{k: string, d: any}} event
 * @returns {View} the same object for kinds that are not known
 */
export function foldEvent(view, event) {
  const fold = FOLDS[event.k];
  return fold ? fold(view, event.d) : view;
}
