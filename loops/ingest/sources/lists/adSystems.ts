import type { Listed } from './listed.ts';

/**
 * Hosts whose links are advertisements, and the values of utm_source that mean a system when the medium says that the
 * click was paid.
 */
export const AD_SYSTEMS: readonly Listed[] = [
  {
    name: 'Yandex Direct',
    hosts: 'an.yandex.ru yabs.yandex.ru yabs.yandex.com bs.yandex.ru yandexadexchange.net direct.yandex.ru',
    aliases: 'yandex ya yandex_direct yandex-direct yandexdirect yadirect ya_direct direct yd rsya yandex_rsya',
  },
  {
    name: 'Google Ads',
    hosts: 'doubleclick.net googlesyndication.com googleadservices.com syndicatedsearch.goog ads.google.com',
    aliases: 'google adwords googleads google_ads google-ads gads google_adwords',
  },
  {
    name: 'VK Ads',
    hosts: 'ads.vk.com target.my.com mradx.net',
    aliases: 'vk vkontakte vkads vk_ads vk-ads vk_target vktarget mytarget my_target target_my ok odnoklassniki',
  },
  {
    name: 'Meta Ads',
    hosts: 'an.facebook.com',
    aliases: 'facebook fb meta instagram ig insta facebook_ads fb_ads meta_ads',
  },
  { name: 'Microsoft Ads', hosts: 'bat.bing.com ads.microsoft.com', aliases: 'bing bingads bing_ads microsoft' },
  { name: 'TikTok Ads', hosts: 'ads.tiktok.com', aliases: 'tiktok tiktok_ads' },
  { name: 'X Ads', hosts: 'ads.x.com ads.twitter.com', aliases: 'twitter x twitter_ads' },
  { name: 'LinkedIn Ads', aliases: 'linkedin linkedin_ads' },
  { name: 'Reddit Ads', aliases: 'reddit' },
  { name: 'Pinterest Ads', aliases: 'pinterest' },
  { name: 'Snapchat Ads', aliases: 'snapchat' },
  { name: 'Quora Ads', aliases: 'quora' },
  { name: 'Telegram Ads', aliases: 'telegram tg telegram_ads telegramads' },
  { name: 'Avito', aliases: 'avito avito_ads' },
  { name: 'Ozon', aliases: 'ozon ozon_ads' },
  { name: 'Wildberries', aliases: 'wildberries wb' },
  { name: 'Yandex Market', aliases: 'yandex_market yandexmarket market.yandex market.yandex.ru' },
  { name: 'Taboola', hosts: 'taboola.com', aliases: 'taboola' },
  { name: 'Outbrain', hosts: 'outbrain.com', aliases: 'outbrain' },
  { name: 'Criteo', hosts: 'criteo.com criteo.net', aliases: 'criteo' },
  { name: 'MGID', hosts: 'mgid.com', aliases: 'mgid' },
  { name: 'Adfox', hosts: 'adfox.ru', aliases: 'adfox' },
  { name: 'AdRiver', hosts: 'adriver.ru', aliases: 'adriver' },
  { name: 'Between', hosts: 'betweendigital.com', aliases: 'between' },
  { name: 'Buzzoola', hosts: 'buzzoola.com', aliases: 'buzzoola' },
  { name: 'Hybrid', hosts: 'hybrid.ai', aliases: 'hybrid' },
  { name: 'Soloway', hosts: 'soloway.ru', aliases: 'soloway' },
  { name: 'Admitad', hosts: 'admitad.com', aliases: 'admitad' },
  { name: 'Awin', hosts: 'awin1.com', aliases: 'awin' },
  { name: 'CJ', aliases: 'cj' },
  { name: 'Impact', aliases: 'impact impactradius' },
  { name: 'Seznam Sklik', hosts: 'c.imedia.cz', aliases: 'sklik seznam' },
];
