/** Derives the kind of a source from utm_medium, in the words that analytics tools and advertising systems agree on. */

export type Channel =
  | 'ad'
  | 'email'
  | 'social'
  | 'messenger'
  | 'organic'
  | 'recommendation'
  | 'referral'
  | 'ai_assistant';

/** Words of a medium, split at any punctuation. The first kind with a match wins: `paid_social` is paid. */
const WORDS: readonly (readonly [Channel, ReadonlySet<string>])[] = [
  [
    'ad',
    new Set([
      'ad',
      'ads',
      'adv',
      'advert',
      'advertising',
      'affiliate',
      'affiliates',
      'banner',
      'display',
      'target',
      'targeted',
      'targeting',
      'retargeting',
      'remarketing',
      'teaser',
      'native',
      'promoted',
      'sponsored',
      'sem',
      'context',
      'programmatic',
      'influencer',
      'blogger',
      'pr',
    ]),
  ],
  ['recommendation', new Set(['recommendation', 'recommendations', 'recommend', 'recommended', 'recsys', 'reco'])],
  ['email', new Set(['email', 'mail', 'newsletter', 'emailing', 'mailing', 'digest', 'rassylka'])],
  ['messenger', new Set(['messenger', 'messengers', 'im', 'telegram', 'whatsapp', 'viber', 'sms', 'chatbot'])],
  ['social', new Set(['social', 'smm', 'sm', 'socials', 'socialmedia', 'socialnetwork'])],
  ['ai_assistant', new Set(['ai', 'llm', 'aiassistant'])],
  ['organic', new Set(['organic', 'seo'])],
  ['referral', new Set(['referral', 'referer', 'referrer', 'link', 'links', 'partner', 'partners'])],
];

/** Payment per click, per thousand, per action and so on: cpc, ppc, cpm, ecpm, cpa, cpv, cpl; paid, paidsearch. */
const PAID = /^(?:e?cp[acilmov]|pp[acv]|paid.*)$/;

/** Returns null for no medium and for the site's own words. */
export function channelOf(medium: string | null): Channel | null {
  if (medium === null) return null;
  // `e-mail` counts as one word.
  const words = medium
    .toLowerCase()
    .replace('e-mail', 'email')
    .split(/[^\p{L}\p{N}]+/u);
  if (words.some((word) => PAID.test(word))) return 'ad';
  return WORDS.find(([, known]) => words.some((word) => known.has(word)))?.[0] ?? null;
}
