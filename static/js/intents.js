// @ts-check
/**
 * What the player can want. Views call these; the room page carries them out.
 *
 * @typedef {object} Intents
 * @property {(o: string) => void} answer answer the open question with an option's handle
 * @property {(index: number) => void} select
 * @property {(index: number) => void} playTile discard the tile at this place of the hand
 * @property {(index: number) => void} tapTile select, or discard what is selected already
 * @property {(group: string, o: string) => void} pick
 * @property {(on: boolean) => void} readyMode
 * @property {(on: boolean) => void} auto
 * @property {() => void} leave
 * @property {(penalty: number) => void} leaveAnyway
 * @property {() => void} openMenu
 * @property {() => void} openChat
 * @property {() => void} openSettings
 * @property {() => void} openKeys
 * @property {() => void} toggleSound
 * @property {() => void} backSeen the news of the reconnection have been read
 * @property {() => void} cancelMatch stop looking for a partner and leave the table
 * @property {(words: import('./protocol.js').Words) => void} say
 * @property {(on: boolean) => void} mute hear the others no more, or again
 * @property {() => void} stay wait for another partner after one has left
 * @property {() => void} closeDialog
 * @property {() => void} toLobby
 * @property {() => void} retry
 * @property {(purpose: import('./protocol.js').Purpose) => void} copyLink the address for who is to play, or to watch
 * @property {(hidden: boolean) => void} hideResult
 */
export {};
