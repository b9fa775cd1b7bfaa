// @ts-check
/** Where both pages start. */
import { keepFitting } from './layout.js';
import { startLobby } from './lobby.js';
import { startRoom } from './room.js';
import { loadTileFaces } from './view/tile.js';

keepFitting();
loadTileFaces();
if (document.body.dataset.page === 'room') startRoom();
else startLobby();
