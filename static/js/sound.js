// @ts-check
/** Short sounds made by the browser itself; silent until the player has touched or typed something. */
import { settings } from './settings.js';

/**
 * One tone: `from` and `to` in hertz, `at` and `long` in seconds, `loud` 0–1.
 * @typedef {{wave?: OscillatorType, from: number, to?: number, at?: number, long: number, loud?: number}} Tone
 */

/** Knock of wood on felt: a short fall. @param {number} from @param {number} [at] @returns {Tone} */
const knock = (from, at = 0) => ({ wave: 'triangle', from, to: from / 3, at, long: 0.06, loud: 0.5 });

/** @param {number[]} notes @param {number} step @param {number} long @returns {Tone[]} */
const chime = (notes, step, long) => notes.map((from, i) => ({ wave: 'sine', from, at: i * step, long, loud: 0.3 }));

/** @type {Record<string, Tone[]>} */
export const SOUNDS = {
  discard: [knock(900), { wave: 'square', from: 2400, to: 1200, long: 0.02, loud: 0.08 }],
  draw: [{ wave: 'triangle', from: 420, to: 620, long: 0.07, loud: 0.2 }],
  claim: [knock(700), knock(900, 0.07), knock(1100, 0.14)],
  flower: chime([1047, 1319], 0.06, 0.12),
  turn: chime([784, 1047], 0.13, 0.22),
  tick: [{ wave: 'square', from: 1500, long: 0.03, loud: 0.1 }],
  ready: chime([659, 880, 1175], 0.1, 0.3),
  win: chime([523, 659, 784, 1047, 1319], 0.11, 0.45),
  loss: chime([392, 330, 262], 0.16, 0.35),
  exhausted: chime([440, 440], 0.22, 0.3),
  coins: chime([1568, 2093, 1568, 2093], 0.06, 0.09),
  lost: [{ wave: 'sawtooth', from: 300, to: 140, long: 0.35, loud: 0.15 }],
};

/** @type {AudioContext|null} */
let context = null;

function unlock() {
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
}

/** From the first tap or key on the page may be heard. */
export function unlockSound() {
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, unlock, { passive: true });
}

/** @param {AudioContext} audio @param {Tone} tone */
function play(audio, { wave = 'sine', from, to = from, at = 0, long, loud = 0.3 }) {
  const begins = audio.currentTime + at;
  const ends = begins + long;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = wave;
  source.frequency.setValueAtTime(from, begins);
  source.frequency.exponentialRampToValueAtTime(to, ends);
  volume.gain.setValueAtTime(loud, begins);
  volume.gain.exponentialRampToValueAtTime(0.001, ends);
  source.connect(volume).connect(audio.destination);
  source.start(begins);
  source.stop(ends);
}

/** @param {keyof typeof SOUNDS} name */
export function playSound(name) {
  const { effects, tick } = settings();
  if (!(name === 'tick' ? tick : effects)) return;
  document.body.dataset.sound = String(name);
  if (context?.state !== 'running') return;
  for (const tone of SOUNDS[name]) play(context, tone);
}
