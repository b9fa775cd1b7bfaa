// @ts-check
/** Where every page starts. */
import { keepFitting } from './layout.js';
import { listenInGroups } from './roving.js';
import { followSettings } from './settings.js';
import { unlockSound } from './sound.js';
import { loadTileFaces } from './view/tile.js';

/** @type {Record<string, () => Promise<{start: () => void}>>} */
const PAGES = {
  lobby: () => import('./lobby.js'),
  room: () => import('./room.js'),
  leaderboard: () => import('./leaderboard.js'),
  rules: () => import('./rules.js'),
  player: () => import('./player.js'),
  replay: () => import('./replay.js'),
};

keepFitting();
loadTileFaces();
unlockSound();
listenInGroups();
followSettings(({ corners }) => document.body.toggleAttribute('data-corners', corners));
PAGES[document.body.dataset.page ?? 'lobby']().then((page) => page.start());
