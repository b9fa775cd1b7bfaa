// @ts-check
/** Where every page starts; its address says which it is. */
import { keepFitting } from './layout.js';
import { listenInGroups } from './roving.js';
import { followSettings } from './settings.js';
import { unlockSound } from './sound.js';
import { loadTileFaces } from './view/tile.js';

/** By the first part of the address. @type {Record<string, () => Promise<{start: () => void}>>} */
const PAGES = {
  '': () => import('./lobby.js'),
  room: () => import('./room.js'),
  leaderboard: () => import('./leaderboard.js'),
  rules: () => import('./rules.js'),
  players: () => import('./player.js'),
  replay: () => import('./replay.js'),
  operator: () => import('./operator.js'),
};

keepFitting();
loadTileFaces();
unlockSound();
listenInGroups();
followSettings(({ corners }) => document.body.toggleAttribute('data-corners', corners));
PAGES[location.pathname.split('/')[1]]().then((page) => page.start());
