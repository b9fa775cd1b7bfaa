// @ts-check
/** Every text of the pages, 繁體中文. Display-face texts (titles, buttons) use the subset in fonts/. */
import account from './zh-Hant/account.js';
import errors from './zh-Hant/errors.js';
import fans from './zh-Hant/fans.js';
import lobby from './zh-Hant/lobby.js';
import operator from './zh-Hant/operator.js';
import pages from './zh-Hant/pages.js';
import rules from './zh-Hant/rules.js';
import settings from './zh-Hant/settings.js';
import settlement from './zh-Hant/settlement.js';
import spoken from './zh-Hant/spoken.js';
import table from './zh-Hant/table.js';

/** @type {Record<string, string>} */
const tiles = {};
for (const [i, rank] of [...'一二三四五六七八九'].entries()) tiles[`tile.${i + 1}m`] = `${rank}萬`;
for (const [i, name] of [...'東南西北白發中'].entries()) tiles[`tile.${i + 1}z`] = name;
for (const [i, name] of [...'春夏秋冬梅蘭竹菊'].entries()) tiles[`tile.${i + 1}f`] = name;

export default {
  ...tiles,
  ...account,
  ...errors,
  ...fans,
  ...lobby,
  ...operator,
  ...pages,
  ...rules,
  ...settings,
  ...settlement,
  ...spoken,
  ...table,
  'tile.back': '蓋牌',

  // frame
  'app.title': '二人麻將',
  'title.lobby': '二人麻將 · 大廳',
  'title.room': '二人麻將 · {tier}',
  'title.watch': '觀戰 · {tier}',
  'title.turn': '輪到你 · 二人麻將',
  'title.leaderboard': '二人麻將 · 排行榜',
  'title.player': '二人麻將 · {name}',
  'title.replay': '二人麻將 · 牌譜',
  'title.rules': '二人麻將 · 規則',
  'title.flash': '● 輪到你 ●',
  'nav.label': '頁面',
  'nav.lobby': '大廳',
  'nav.leaderboard': '排行榜',
  'nav.rules': '規則',
  'bar.leave': '離開',
  'bar.sound': '聲音',
  'bar.chat': '聊天',
  'bar.chat.muted': '已靜音',
  'bar.auto': '託管',
  'bar.menu': '選單',
  'bar.base': '底',
  'bar.round.before': '第',
  'bar.round.after': '局',
  'bar.tiles': '{n} 張 · {flowers}',
  'bar.flowers': '有花',
  'bar.no_flowers': '無花',
  'bar.watching': '觀戰中',
  'bar.practice': '練習',
  'coins.own': '金幣',
  'coins.practice': '練習幣',
  'net.open': '連線良好',
  'net.connecting': '連線中',
  'net.lost': '已斷線',
  'net.ended': '已離線',
};
