import type { Listed } from './listed.ts';

/** Hosts that show a copy of a page: caches, archives, translators, readers. */
export const SAVED_COPIES: readonly Listed[] = [
  { name: 'Google Cache', hosts: 'webcache.googleusercontent.com' },
  { name: 'Google Translate', hosts: 'translate.goog translate.google.* translate.googleusercontent.com' },
  { name: 'Yandex Cache', hosts: 'yandexwebcache.net hghltd.yandex.net' },
  { name: 'Yandex Translate', hosts: 'translate.yandex.* translated.turbopages.org' },
  { name: 'Bing Cache', hosts: 'cc.bingj.com' },
  { name: 'Microsoft Translator', hosts: 'translatetheweb.com translatoruser.net microsofttranslator.com' },
  { name: 'Wayback Machine', hosts: 'web.archive.org' },
  { name: 'archive.today', hosts: 'archive.today archive.ph archive.is archive.li archive.fo archive.md archive.vn' },
  { name: 'Baidu Cache', hosts: 'cache.baiducontent.com cache.baidu.com' },
  { name: 'Naver Papago', hosts: 'papago.naver.net papago.naver.com' },
];
