// @ts-check
import { svg } from './dom.js';

/** Line drawings on a 24-unit grid. @type {Record<string, string>} */
const PATHS = {
  back: '<path d="M15 5l-7 7 7 7"/>',
  chat: '<path d="M4 5h16v11H10l-5 4v-4H4z"/>',
  auto: '<rect x="4" y="9" width="16" height="11" rx="3"/><path d="M12 9V5M9 14v1.5M15 14v1.5"/><circle cx="12" cy="4" r="1.4"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  lobby: '<path d="M4 11l8-7 8 7v9h-5v-6H9v6H4z"/>',
  leaderboard: '<path d="M8 4h8v6a4 4 0 01-8 0zM8 6H4c0 4 2 5 4 5M16 6h4c0 4-2 5-4 5M12 14v4M8 20h8"/>',
  rules: '<path d="M5 4h9a4 4 0 014 4v12H9a4 4 0 01-4-4zM5 16a4 4 0 014-4h9"/>',
  gear: '<circle cx="12" cy="12" r="3.2"/><path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1"/>',
  sound: '<path d="M4 9.5h4l5-4v13l-5-4H4zM16 9a4 4 0 010 6M18.5 6.5a8 8 0 010 11"/>',
  silent: '<path d="M4 9.5h4l5-4v13l-5-4H4zM16.5 9.5l5 5M21.5 9.5l-5 5"/>',
  eye: '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="3"/>',
  refresh: '<path d="M19 8a8 8 0 10.8 6M19 4v4h-4"/>',
};

/** @param {keyof typeof PATHS} name */
export const icon = (name) =>
  svg(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`);

/** Feather colours of the birds: ground, body, wing. */
const FEATHERS = {
  own: ['#d9c79a', '#a8693a', '#6d3f20'],
  theirs: ['#9cc4bd', '#5b7f8f', '#2f4f60'],
};

/** A little bird, the face of a player. @param {keyof typeof FEATHERS} whose */
export function bird(whose) {
  const [ground, body, wing] = FEATHERS[whose];
  return svg(`<svg class="bird" viewBox="0 0 64 64" aria-hidden="true">
    <rect width="64" height="64" fill="${ground}"/>
    <path d="M0 50c16-6 44-6 64 2v12H0z" fill="rgba(0,0,0,.14)"/>
    <path d="M10 41l-6 9 13-4z" fill="${wing}"/>
    <path d="M12 40c0-13 10-23 22-23 8 0 14 5 15 12 0 13-9 22-20 22-10 0-17-4-17-11z" fill="${body}"/>
    <path d="M20 46c-2-9 4-17 14-16 2 9-4 17-14 16z" fill="${wing}"/>
    <path d="M25 44c7 4 18 0 21-9-3 10-11 16-19 16z" fill="rgba(255,250,235,.55)"/>
    <path d="M48 27l9 3-9 4z" fill="#e9a23b"/>
    <circle cx="41" cy="27" r="3" fill="#1d1712"/><circle cx="42" cy="26" r="1" fill="#fff"/>
    <path d="M33 18c5-1 10 0 13 4l-9-1z" fill="${wing}"/>
  </svg>`);
}
