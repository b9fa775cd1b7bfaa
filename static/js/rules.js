// @ts-check
/**
 * The rule book: one rule set at a time, and a calculator that plays by it. All of it comes from the server.
 *
 * @typedef {import('./calculator.js').Draft} Draft
 * @typedef {{total: number, fans: {id: string, zh: string, value: number, count: number}[]}} Score
 * @typedef {{
 *   sets: {id: string, zh: string, tiles: number, flowers: boolean}[]|null, failed: boolean,
 *   ruleset: string, book: any|null, draft: Draft, score: Score|null, problem: string
 * }} RulesState
 */
import * as api from './api.js';
import { add, draftOf, emptyDraft, isComplete, removeMeld, removeTile, requestOf } from './calculator.js';
import { hasText, t } from './i18n.js';
import { mountRules } from './view/rules.js';

/** @param {any} error */
function problemText(error) {
  const key = `calc.error.${error.problem?.error?.code ?? 'other'}`;
  return t(hasText(key) ? key : 'calc.error.other');
}

/** @typedef {ReturnType<typeof openRules>} RulesIntents */

function openRules() {
  /** @type {RulesState} */
  const state = {
    sets: null,
    failed: false,
    ruleset: new URLSearchParams(location.search).get('ruleset') ?? '',
    book: null,
    draft: emptyDraft(),
    score: null,
    problem: '',
  };
  let asked = 0;

  /** @param {Partial<RulesState>} patch */
  const update = (patch) => {
    Object.assign(state, patch);
    draw(state);
  };

  async function load() {
    update({ failed: false });
    try {
      const sets = state.sets ?? (await api.fetchRuleSets()).items;
      const known = sets.some((/** @type {any} */ set) => set.id === state.ruleset);
      const ruleset = known ? state.ruleset : sets[0].id;
      update({ sets, ruleset, book: await api.fetchRuleBook(ruleset) });
    } catch {
      update({ failed: true });
    }
  }

  /** @param {Draft} draft */
  async function change(draft) {
    const mine = ++asked;
    update({ draft, score: null, problem: '' });
    if (!isComplete(draft)) return;
    try {
      const score = await api.score(state.ruleset, requestOf(draft));
      if (mine === asked) update({ score });
    } catch (error) {
      if (mine === asked) update({ problem: problemText(error) });
    }
  }

  const intents = {
    load,
    /** @param {string} ruleset */
    async choose(ruleset) {
      history.replaceState(null, '', `?ruleset=${ruleset}`);
      update({ ruleset, book: null });
      await load();
      const { draft, book } = state;
      change(book?.flowers ? draft : { ...draft, flowers: [], mode: draft.mode === 'flowers' ? 'hand' : draft.mode });
    },
    /** @param {Partial<Draft>} patch */
    set: (patch) => change({ ...state.draft, ...patch }),
    /** @param {string} tile */
    add: (tile) => change(add(state.draft, tile)),
    /** @param {'hand'|'win'|'flowers'} from @param {string} tile */
    remove: (from, tile) => change(removeTile(state.draft, from, tile)),
    /** @param {number} at */
    removeMeld: (at) => change(removeMeld(state.draft, at)),
    clear: () => change(emptyDraft()),
    /** @param {object} example */
    show(example) {
      change(draftOf(example));
      document.querySelector('.calculator')?.scrollIntoView({ block: 'nearest' });
    },
  };
  const draw = mountRules(document.body, intents);
  load();
  return intents;
}

export async function start() {
  document.title = t('title.rules');
  openRules();
}
