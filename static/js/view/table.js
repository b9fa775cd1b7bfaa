// @ts-check
/** The table page put together: every part draws itself from the one state. */
import { canAnswer, isCatchingUp } from '../state.js';
import { t } from '../i18n.js';
import { mountActions } from './actions.js';
import { mountBanner, mountEnd } from './banner.js';
import { mountBar } from './bar.js';
import { mountDialog } from './dialog.js';
import { h, region } from './dom.js';
import { mountOwnHand, mountTheirHand } from './hand.js';
import { mountHints } from './hints.js';
import { mountHub } from './hub.js';
import { mountMelds } from './melds.js';
import { animateEvent } from './motion.js';
import { mountPlates } from './plate.js';
import { mountRivers } from './river.js';
import { ownSeat } from './seats.js';
import { mountSettlement } from './settlement.js';
import { askLine, eventLine, saidLine, wordsOf } from './speech.js';
import { mountWaiting } from './waiting.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../intents.js').Intents} Intents
 */

/** A part that is only a place for others. */
const part = (/** @type {string} */ name) => h('div', { class: name });

function build() {
  const parts = {
    bar: h('header', { class: 'bar' }),
    banner: part('banner-host'),
    theirPlate: part('their-plate'),
    theirMelds: part('melds'),
    theirHand: part('their-backs'),
    theirFlowers: part('flowers their-flowers'),
    theirRiver: part('river theirs'),
    hub: part('hub-host'),
    ownRiver: part('river own'),
    hints: h('aside', { class: 'hints' }),
    bubble: part('bubble-host'),
    waiting: part('waiting-host'),
    ownFlowers: part('flowers own-flowers'),
    ownPlate: part('own-plate'),
    ownMelds: part('melds own-melds'),
    actions: h('div', { class: 'actions' }),
    ownHand: h('div', { class: 'own-hand', role: 'toolbar' }),
    settlement: part('settlement-host'),
    dialog: part('dialog-host'),
    end: part('end-host'),
    toast: h('div', { class: 'toast-host' }),
    polite: h('div', { class: 'spoken', 'aria-live': 'polite' }),
    assertive: h('div', { class: 'spoken', 'aria-live': 'assertive' }),
    clock: h('div', { class: 'spoken', 'aria-live': 'assertive', 'data-tick': 'spoken' }),
  };
  const table = h(
    'div',
    { class: 'table' },
    parts.theirPlate,
    h('div', { class: 'their-hand' }, parts.theirMelds, parts.theirHand),
    parts.theirFlowers,
    parts.bubble,
    h('section', { class: 'centre' }, parts.theirRiver, parts.hub, parts.ownRiver),
    parts.hints,
    h('div', { class: 'own-side' }, parts.ownFlowers, parts.ownPlate),
    h('section', { class: 'own-main' }, parts.actions, parts.ownHand, parts.ownMelds),
    parts.waiting,
  );
  const felt = h('div', { class: 'felt' }, table, parts.settlement);
  const app = h(
    'div',
    { class: 'app' },
    parts.bar,
    parts.banner,
    h('main', { class: 'wood' }, felt),
    parts.dialog,
    parts.end,
    parts.toast,
    parts.polite,
    parts.assertive,
    parts.clock,
  );
  return { app, felt, parts };
}

/** What stage the page is in, for styles and for tests. @param {State} state */
function phaseOf({ view }) {
  if (!view) return 'connecting';
  return view.room.phase === 'playing' && view.round ? view.round.phase : view.room.phase;
}

/** @param {HTMLElement} body @param {Element} felt @param {State} state */
function paintPage(body, felt, state) {
  const { ask, view, conn } = state;
  body.dataset.phase = phaseOf(state);
  body.dataset.conn = conn.status;
  body.dataset.ask = ask?.q ?? '';
  body.dataset.dp = ask ? String(ask.dp) : '';
  body.dataset.mode = state.mode;
  body.toggleAttribute('data-armed', canAnswer(state));
  body.dataset.seq = String(state.seq);
  const mine = ask !== null && ask.q !== 'confirm';
  const turn = view?.room.phase === 'playing' ? view.round?.turn : null;
  felt.classList.toggle('mine', mine);
  felt.classList.toggle('theirs', !mine && view?.round?.phase === 'turn' && turn === 1 - ownSeat(state));
}

/** @param {ReturnType<typeof build>['parts']} parts */
function speaker(parts) {
  /** @param {Element} element @param {string} line */
  const say = (element, line) => {
    if (line) element.textContent = line;
  };
  return (/** @type {State} */ before, /** @type {State} */ after) => {
    if (after.last && after.last !== before.last) say(parts.polite, eventLine(after, after.last));
    if (after.said && after.said !== before.said) say(parts.polite, saidLine(after, after.said));
    if (after.ask && after.ask.dp !== before.ask?.dp) say(parts.assertive, askLine(after));
    if (after.conn.status === 'lost' && before.conn.status === 'open') say(parts.assertive, t('say.lost'));
    if (after.conn.status === 'open' && before.conn.status === 'lost') say(parts.assertive, t('say.back'));
  };
}

/**
 * @param {HTMLElement} body
 * @param {Intents} intents
 * @returns {(before: State, after: State) => void}
 */
export function mountTable(body, intents) {
  const { app, felt, parts } = build();
  body.append(app);
  const updates = [
    mountBar(parts.bar, intents),
    mountBanner(parts.banner, intents),
    mountPlates(parts.ownPlate, parts.theirPlate),
    mountMelds(parts),
    mountTheirHand(parts.theirHand),
    mountRivers(parts.ownRiver, parts.theirRiver),
    mountHub(parts.hub),
    mountHints(parts.hints),
    mountWaiting(parts.waiting, intents),
    mountActions(parts.actions, intents),
    mountOwnHand(parts.ownHand, intents),
    mountSettlement(parts.settlement, intents),
    mountDialog(parts.dialog, intents),
    mountEnd(parts.end, intents),
    region(
      parts.toast,
      (/** @type {State} */ state) => state.ui.toast,
      (toast) =>
        toast &&
        h('div', { class: 'toast', role: 'status' }, t(toast.key, /** @type {any} */ (toast.params))),
    ),
    region(
      parts.bubble,
      (/** @type {State} */ state) =>
        state.said && { ...state.said, own: state.said.seat === ownSeat(state) },
      (said) =>
        said && wordsOf(said) && h('div', { class: said.own ? 'bubble own' : 'bubble' }, wordsOf(said)),
    ),
  ];
  const speak = speaker(parts);
  return (before, after) => {
    paintPage(body, felt, after);
    for (const update of updates) update(after);
    speak(before, after);
    if (after.last && after.last !== before.last && !isCatchingUp(after)) animateEvent(after, after.last);
  };
}
