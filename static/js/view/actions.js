// @ts-check
import { choicesOf, optionLabel } from '../choices.js';
import { canAnswer } from '../state.js';
import { hasText, t } from '../i18n.js';
import { cls, h, region } from './dom.js';
import { icon } from './icons.js';
import { isResultShown, isWatching, ownSeat } from './seats.js';
import { tileView } from './tile.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../choices.js').Choice} Choice
 * @typedef {import('../choices.js').Chooser} Chooser
 * @typedef {import('../intents.js').Intents} Intents
 */

/** @param {State} state */
function actionsSlice(state) {
  const online = state.conn.status === 'open';
  const isConfirm = state.ask?.q === 'confirm';
  const auto = Boolean(state.view?.seats[ownSeat(state)]?.auto) && state.view?.you !== null;
  const shown = online && !auto && !(isConfirm && isResultShown(state));
  return {
    watching: isWatching(state),
    auto: online && auto && state.view?.room.phase === 'playing',
    choices: shown ? choicesOf(state) : null,
    enabled: canAnswer(state),
  };
}

/** Tiles that tell a group's options apart: the set of a chow, the tile of a kong. @param {import('../protocol.js').Option} option */
const optionTiles = (option) => option.tiles ?? (option.tile ? [option.tile] : []);

/** @param {Chooser} chooser @param {boolean} enabled @param {Intents} intents */
const drawChooser = ({ group, options, picked }, enabled, intents) =>
  h(
    'div',
    { class: 'chooser', role: 'radiogroup', 'aria-label': t(`act.choose.${group}`) },
    h('span', { class: 'label' }, t(`act.choose.${group}`)),
    options.map((option) =>
      h(
        'button',
        {
          type: 'button',
          class: cls('set', option.o === picked && 'picked'),
          role: 'radio',
          'aria-checked': String(option.o === picked),
          tabindex: option.o === picked ? 0 : -1,
          'aria-label': optionLabel(option),
          'data-pick': option.o,
          'data-key': `pick-${option.o}`,
          disabled: !enabled,
          onclick: () => intents.pick(group, option.o),
        },
        optionTiles(option).map((tile) => tileView(tile)),
      ),
    ),
  );

/** @param {Choice} item @param {Intents} intents */
function press(item, intents) {
  if (item.option) intents.answer(item.option.o);
  else intents.readyMode(item.name === 'ready');
}

/** @param {Choice} item @param {boolean} enabled @param {Intents} intents */
const drawChoice = (item, enabled, intents) =>
  h(
    'button',
    {
      type: 'button',
      class: `action ${item.tone}`,
      'aria-label': item.label,
      'data-o': item.option?.o,
      'data-act': item.name,
      'data-key': `act-${item.name}`,
      disabled: !enabled,
      onclick: () => press(item, intents),
    },
    t(`act.${item.name}`),
    item.small === 'seconds'
      ? h('small', { 'data-tick': 'seconds' })
      : item.small && h('small', {}, item.small),
    item.hotkey && h('kbd', { 'aria-hidden': 'true' }, item.hotkey),
    item.timed && h('span', { class: 'time-line', 'aria-hidden': 'true' }, h('i', { 'data-tick': 'line' })),
  );

/** @param {Intents} intents */
const drawAuto = (intents) =>
  h(
    'div',
    { class: 'auto-bar' },
    icon('auto'),
    h('span', {}, h('b', {}, t('auto.on')), t('auto.on.small')),
    h(
      'button',
      {
        type: 'button',
        class: 'button primary',
        'data-act': 'auto-off',
        'data-key': 'auto-off',
        onclick: () => intents.auto(false),
      },
      t('auto.back'),
    ),
  );

/** In place of what a player may do. @param {Intents} intents */
const drawWatching = (intents) =>
  h(
    'div',
    { class: 'auto-bar', 'data-testid': 'watching' },
    icon('eye'),
    h('span', {}, h('b', {}, t('watch.on')), t('watch.on.small')),
    h(
      'button',
      {
        type: 'button',
        class: 'button gold',
        'data-act': 'watch-leave',
        'data-key': 'watch-leave',
        onclick: intents.toLobby,
      },
      t('watch.leave'),
    ),
  );

/** @param {NonNullable<import('../choices.js').Choices['prompt']>} prompt */
function priceWords({ key, times, params }) {
  if (times !== null) return t(`ask.${key}.price`, { n: times });
  return hasText(`ask.${key}.plain`) ? t(`ask.${key}.plain`, params) : '';
}

/** @param {ReturnType<typeof actionsSlice>} slice @param {Intents} intents */
function drawActions({ watching, auto, choices, enabled }, intents) {
  if (watching) return drawWatching(intents);
  if (auto) return drawAuto(intents);
  if (!choices) return null;
  const { prompt } = choices;
  return [
    prompt &&
      h('div', { class: 'prompt' }, h('b', {}, t(`ask.${prompt.key}`)), h('span', {}, priceWords(prompt))),
    choices.choosers.map((chooser) => drawChooser(chooser, enabled, intents)),
    choices.choices.map((item) => drawChoice(item, enabled, intents)),
  ];
}

/** @param {Element} host @param {Intents} intents */
export const mountActions = (host, intents) =>
  region(host, actionsSlice, (slice) => drawActions(slice, intents));
