// @ts-check
/**
 * A player's page: title, numbers, rounds played. Open to everybody.
 *
 * @typedef {import('./protocol.js').Career} Career
 * @typedef {import('./protocol.js').Played} Played
 * @typedef {{
 *   career: Career, ranks: import('./protocol.js').Rank[], isOwn: boolean,
 *   points: import('./protocol.js').PointsAt[]|null, best: Played[]|null,
 *   played: Played[]|null, next: string|null, failed: boolean, busy: boolean
 * }} ProfileState
 */
import * as api from './api.js';
import { t } from './i18n.js';
import { errorText } from './refusals.js';
import { mountProfile } from './view/profile.js';
import { showRefusal } from './view/signin.js';

const PAGE = 20;

/** @param {string} id @param {Career} career @param {import('./protocol.js').Rank[]} ranks @param {boolean} isOwn */
function openProfile(id, career, ranks, isOwn) {
  /** @type {ProfileState} */
  const state = {
    ...{ career, ranks, isOwn, points: null, best: null },
    ...{ played: null, next: null, failed: false, busy: false },
  };
  /** @param {Partial<ProfileState>} patch */
  const update = (patch) => {
    Object.assign(state, patch);
    draw(state);
  };
  async function more() {
    if (state.busy) return;
    update({ busy: true, failed: false });
    try {
      const { items, next } = await api.fetchPlayed(id, { limit: PAGE, cursor: state.next });
      update({ played: [...(state.played ?? []), ...items], next, busy: false });
    } catch {
      update({ failed: true, busy: false });
    }
  }
  async function look() {
    try {
      const [points, best] = await Promise.all([api.fetchPoints(id), api.fetchBest(id)]);
      update({ points: points.items, best: best.items });
    } catch {
      update({ failed: true });
    }
  }
  const draw = mountProfile(document.body, { more });
  draw(state);
  more();
  look();
}

/** The titles are the same in every rule set. */
async function fetchRanks() {
  const { items } = await api.fetchTiers();
  return items[0] ? (await api.fetchRuleBook(items[0].ruleset)).ranks : [];
}

export async function start() {
  const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  try {
    const [career, me, ranks] = await Promise.all([api.fetchPlayer(id), api.fetchMe(), fetchRanks()]);
    document.title = t('title.player', { name: career.name });
    openProfile(id, career, ranks, me?.user.id === id);
  } catch (error) {
    showRefusal(errorText(error), t('end.to_lobby'), () => location.assign('/'));
  }
}
