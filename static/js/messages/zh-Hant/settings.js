// @ts-check
/** The player's switches. @type {Record<string, string>} */
export default {
  'settings.title': '設定',
  'settings.effects': '音效',
  'settings.effects.small': '打牌、輪到你、胡牌、斷線的聲音',
  'settings.tick': '倒數聲',
  'settings.tick.small': '剩五秒起每秒一聲',
  'settings.oneTap': '點一下就打',
  'settings.oneTap.small': '不用先選再點；容易打錯',
  'settings.keys': '單鍵操作',
  'settings.keys.small': '1–5、D、R、H、T、C、M',
  'settings.corners': '牌角索引',
  'settings.corners.small': '牌上加 1–9、E S W N C F P',
  'modal.close': '關閉',
  'sound.on': '音效開著，按一下關掉',
  'sound.off': '音效關著，按一下打開',
};
