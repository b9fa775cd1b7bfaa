// @ts-check
import { isComputer } from '../protocol.js';
import { t } from '../i18n.js';
import { coinsView } from './coins.js';
import { cls, h, region } from './dom.js';
import { bird, icon } from './icons.js';
import { isResultShown, ownSeat, playerOf, theirSeat } from './seats.js';

/** @typedef {import('../state.js').State} State */

const METALS = ['bronze', 'silver', 'gold'];

/** The badge of a title: its telling letter, on metal where it is named after one. @param {string} rank */
export function rankBadge(rank) {
  const [first, second = ''] = rank;
  const metal = METALS.find((name) => t(`rank.${name}`) === first);
  return h(
    'span',
    { class: cls('rank', metal) },
    h('em', { 'aria-hidden': 'true' }, first === t('rank.family') ? second : first),
    h('span', { class: 'rank-name' }, rank),
  );
}

/** @param {State} state @param {number} seat */
function plateSlice(state, seat) {
  const { view } = state;
  const { round = null, room = null } = view ?? {};
  const seated = view?.seats[seat] ?? null;
  const result = round?.result ?? null;
  const playing = round !== null && (room?.phase === 'playing' || result !== null);
  return {
    own: seat === ownSeat(state),
    practice: room?.practice ?? false,
    player: seated ?? (isResultShown(state) ? playerOf(state, seat) : null),
    gone: !seated,
    since: seated && !seated.online ? state.offlineSince[seat] : null,
    dealer: playing && round.dealer === seat,
    active: playing && round.phase !== 'ended' && isActive(state, seat),
    open: playing && round.openers.includes(seat),
    double: playing && round.doublers.includes(seat),
    ready: playing && round.hands[seat].ready !== null,
  };
}

/** Whose move it is, as far as this reader may know. @param {State} state @param {number} seat */
function isActive(state, seat) {
  if (state.ask) return state.ask.seat === seat;
  const { round = null } = state.view ?? {};
  return round?.phase === 'turn' && round.turn === seat;
}

/** @param {string} text @param {string} tone */
const tag = (text, tone) => h('span', { class: `tag ${tone}` }, text);

/** @param {ReturnType<typeof plateSlice>} slice */
function tags({ open, double, ready, player }) {
  return [
    open && tag(t('plate.open'), 'red'),
    double && tag(t('plate.double'), 'jade'),
    ready && tag(t('plate.ready'), 'gold'),
    player?.auto && tag(t('plate.auto'), 'plain'),
  ];
}

/** The computer has a sign where others have their title. @param {import('../protocol.js').Seat} player */
const standingOf = ({ user, rank }) =>
  isComputer(user)
    ? h('span', { class: 'tag plain computer', role: 'img', 'aria-label': t('plate.computer') }, icon('auto'))
    : rankBadge(rank);

/** What is played for: points are not, in practice. @param {import('../protocol.js').Seat} player @param {boolean} practice */
const worthOf = ({ coins, points }, practice) => [
  coinsView(coins, practice),
  !practice && h('span', { class: 'points' }, t('plate.points', { n: points })),
];

/** @param {ReturnType<typeof plateSlice>} slice */
function drawPlate(slice) {
  const { own, player, dealer, active, gone, since, practice } = slice;
  if (!player) return h('div', { class: 'plate empty' }, h('div', { class: 'avatar' }), t('plate.empty'));
  const offline = gone || !player.online;
  return h(
    'div',
    { class: cls('plate', active && 'active', offline && 'offline') },
    h(
      'div',
      { class: 'avatar' },
      bird(own ? 'own' : 'theirs'),
      dealer && h('span', { class: 'dealer', title: t('plate.dealer.long') }, t('plate.dealer')),
    ),
    h('div', { class: 'who' }, h('b', {}, player.user.name), standingOf(player), tags(slice)),
    h(
      'div',
      { class: 'worth' },
      offline && !gone
        ? h('span', { class: 'cut', 'data-since': since ?? '' }, t('plate.offline'))
        : worthOf(player, practice),
    ),
  );
}

/** @param {Element} own @param {Element} theirs */
export function mountPlates(own, theirs) {
  const drawOwn = region(own, (/** @type {State} */ state) => plateSlice(state, ownSeat(state)), drawPlate);
  const drawTheirs = region(
    theirs,
    (/** @type {State} */ state) => plateSlice(state, theirSeat(state)),
    drawPlate,
  );
  return (/** @type {State} */ state) => {
    drawOwn(state);
    drawTheirs(state);
  };
}
