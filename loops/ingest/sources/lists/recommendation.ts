import type { Listed } from './listed.ts';

/** Feeds and widgets that select articles for each reader. */
export const RECOMMENDATION_SYSTEMS: readonly Listed[] = [
  { name: 'Pulse', hosts: 'pulse.mail.ru' },
  { name: 'SMI2', hosts: 'smi2.ru smi2.net', aliases: 'smi2' },
  { name: '24SMI', hosts: '24smi.org 24smi.net 24smi.info', aliases: '24smi' },
  { name: 'Mirtesen', hosts: 'mirtesen.ru' },
  { name: 'Mediametrics', hosts: 'mediametrics.ru' },
  { name: 'Relap', hosts: 'relap.io' },
  { name: 'Sparrow', hosts: 'sparrow.ru' },
  { name: 'Infox', hosts: 'infox.sg infox.ru' },
  { name: 'Google News', hosts: 'news.google.*', apps: 'com.google.android.apps.magazines' },
  { name: 'Flipboard', hosts: 'flipboard.com', apps: 'flipboard.app' },
  { name: 'Pocket', hosts: 'getpocket.com', apps: 'com.ideashower.readitlater.pro' },
  { name: 'SmartNews', hosts: 'smartnews.com', apps: 'jp.gocro.smartnews.android' },
  { name: 'NewsBreak', hosts: 'newsbreak.com' },
  { name: 'Toutiao', hosts: 'toutiao.com' },
];
