// @ts-check
/**
 * What the action bar shows for an open question: the server's options, grouped and in their fixed order.
 * Nothing is judged here and nothing is left out but discards, which are made on the tiles themselves.
 *
 * @typedef {import('./state.js').State} State
 * @typedef {import('./protocol.js').Option} Option
 * @typedef {{
 *   name: string, option: Option|null, group?: string, small?: string, tone: string,
 *   hotkey: string, timed: boolean, label?: string
 * }} Choice a button; without an option it only changes the page
 * @typedef {{group: string, options: Option[], picked: string}} Chooser
 * @typedef {{
 *   prompt: {key: string, times: number|null, params?: Record<string, string|number>}|null, choosers: Chooser[], choices: Choice[]
 * }} Choices
 */
import { tileName, tileNames } from './tiles.js';
import { goesOn } from './state.js';
import { nameOf, theirSeat } from './view/seats.js';
import { t } from './i18n.js';

const CLAIM_ORDER = ['chow', 'pung', 'kong'];

/** @param {Option[]} opts @param {string} kind */
const ofKind = (opts, kind) => opts.filter((option) => option.kind === kind);

/** @param {Option} option */
export function optionLabel(option) {
  const tile = option.tile ? tileName(option.tile) : '';
  switch (option.kind) {
    case 'chow':
      return t('act.chow.set', { tiles: tileNames(option.tiles ?? []) });
    case 'pung':
      return t('act.pung.tile', { tile });
    case 'kong':
      return t(`act.kong.${option.how}`, { tile });
    default:
      return t(`act.${option.kind}`);
  }
}

/** The picked option of a group, the first unless the player chose. @param {State} state @param {string} group @param {Option[]} options */
function picked(state, group, options) {
  return options.find((option) => option.o === state.ui.picks[group]) ?? options[0];
}

/** @param {Partial<Choice> & {name: string}} choice @returns {Choice} */
const choice = (choice) => ({ option: null, tone: 'jade', hotkey: '', timed: false, ...choice });

/** @param {Option} option @param {string} name @param {string} [small] */
const refusal = (option, name, small) =>
  choice({ name, option, small, tone: 'outline', hotkey: 'Esc', timed: true });

/** @param {State} state @param {Option[]} opts @returns {Choices} */
function playChoices(state, opts) {
  const groups = CLAIM_ORDER.map((group) => ({ group, options: ofKind(opts, group) })).filter(
    ({ options }) => options.length > 0,
  );
  const choices = groups.map(({ group, options }) => {
    const option = picked(state, group, options);
    return choice({ name: group, option, group, label: optionLabel(option) });
  });
  if (ofKind(opts, 'discard_ready').length > 0) {
    choices.push(
      choice({ name: 'ready', small: timesText(timesOf(state, 'ready')), tone: 'gold', hotkey: 'R' }),
    );
  }
  for (const option of ofKind(opts, 'win')) {
    const small = t('act.fan', { n: option.total ?? 0 });
    choices.push(choice({ name: 'win', option, small, tone: 'red' }));
  }
  for (const option of ofKind(opts, 'pass')) choices.push(refusal(option, 'pass', 'seconds'));
  const choosers = groups
    .filter(({ options }) => options.length > 1)
    .map(({ group, options }) => ({ group, options, picked: picked(state, group, options).o }));
  return { prompt: null, choosers, choices };
}

/**
 * A question and its price in words; without the rule book, which is here before the first question as a rule,
 * the price is left out.
 * @param {State} state @param {string} key
 */
const priced = (state, key) => ({ key, times: timesOf(state, key) });

/** What a choice multiplies by, by the rule book: `open_hand`, `double`, `ready`. @param {State} state @param {string} name */
function timesOf(state, name) {
  const factors = /** @type {Record<string, number>|undefined} */ (state.book?.multipliers);
  return factors?.[name] ?? null;
}

/** @param {number|null} times */
const timesText = (times) => (times === null ? '' : t('hub.times', { n: times }));

/** @param {State} state @returns {Choices} */
const readyModeChoices = (state) => ({
  prompt: priced(state, 'ready'),
  choosers: [],
  choices: [choice({ name: 'cancel', tone: 'outline', hotkey: 'Esc' })],
});

const TAKING = new Set(['open_hand', 'double', 'ready']);

/** @param {State} state @param {string} q @param {Option[]} opts @returns {Choices} */
function offerChoices(state, q, opts) {
  const small = q === 'opening' ? '' : timesText(timesOf(state, q));
  const choices = opts.map((option) =>
    TAKING.has(option.kind)
      ? choice({ name: option.kind, option, small, tone: 'gold' })
      : refusal(option, option.kind),
  );
  return { prompt: priced(state, q), choosers: [], choices };
}

/** @param {State} state @param {Option[]} opts @returns {Choices} */
function confirmChoices(state, opts) {
  const name = goesOn(state) ? 'confirm.again' : 'confirm';
  const params = { base: state.ask?.base ?? 0, name: nameOf(state, theirSeat(state)) };
  return {
    prompt: { key: name, times: null, params },
    choosers: [],
    choices: opts.map((option) => choice({ name, option, small: 'seconds' })),
  };
}

/** @param {Choices} choices */
function withHotkeys(choices) {
  choices.choices.forEach((item, i) => {
    item.hotkey ||= String(i + 1);
  });
  return choices;
}

/** @param {State} state @returns {Choices|null} null when there is nothing to press */
export function choicesOf(state) {
  if (!state.ask) return null;
  const { q, opts } = state.ask;
  if (state.ui.readyMode) return readyModeChoices(state);
  if (q === 'turn' || q === 'claim') return withHotkeys(playChoices(state, opts));
  if (q === 'confirm') return withHotkeys(confirmChoices(state, opts));
  return withHotkeys(offerChoices(state, q, opts));
}
