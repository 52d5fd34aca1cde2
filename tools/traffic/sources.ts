/** Ways to reach the site: each has its referrer, its tags in the address, and its landing pages. */
import type { Chance } from './chance.ts';
import { CATEGORY_PAGES, HOME, phraseFor, POST_PAGES, PRODUCT_PAGES, SALE, type Page } from './shop/site.ts';

export interface Arrival {
  page: Page;
  /** Query of the landing page's address, with the question mark; empty when absent. */
  query: string;
  referrer: string | null;
}

type ArrivalSource = (chance: Chance) => Arrival;

const shopPage = (chance: Chance): Page =>
  (chance.percent(35)
    ? CATEGORY_PAGES[chance.zipf(CATEGORY_PAGES.length)]
    : PRODUCT_PAGES[chance.zipf(PRODUCT_PAGES.length)]) ?? HOME;
const blogPage = (chance: Chance): Page => POST_PAGES[chance.zipf(POST_PAGES.length)] ?? HOME;
const anyPage = (chance: Chance): Page => (chance.percent(45) ? blogPage(chance) : shopPage(chance));

const from =
  (
    referrer: string | null,
    page: (chance: Chance) => Page,
    query: (chance: Chance) => string = () => '',
  ): ArrivalSource =>
  (chance) => ({ page: page(chance), query: query(chance), referrer });

/** Few engines report the phrase; these do. */
const searchWithPhrase =
  (address: string, parameter: string): ArrivalSource =>
  (chance) => {
    const page = anyPage(chance);
    return { page, query: '', referrer: `${address}?${parameter}=${encodeURIComponent(phraseFor(page))}` };
  };

const campaign =
  (source: string, medium: string, names: readonly string[], clickId: string | null) =>
  (chance: Chance): string => {
    const term = chance.pick(['купить чай', 'чай недорого', 'пуэр', 'подарочный чай']);
    const marks = new URLSearchParams({
      utm_source: source,
      utm_medium: medium,
      utm_campaign: chance.pick(names),
      utm_content: `b${chance.between(1, 4)}`,
      utm_term: term,
    });
    if (clickId !== null) marks.set(clickId, chance.digits(18));
    return `?${marks}`;
  };

const SEASONS = ['spring', 'gifts', 'brand'] as const;

const FIRST_VISIT_SOURCES: readonly (readonly [number, ArrivalSource])[] = [
  [17, from(null, (chance) => (chance.percent(70) ? HOME : shopPage(chance)))],
  [20, from('https://yandex.ru/', anyPage, (chance) => (chance.percent(60) ? `?ysclid=${chance.digits(12)}` : ''))],
  [4, searchWithPhrase('https://yandex.ru/search/', 'text')],
  [12, from('https://www.google.com/', anyPage)],
  [3, from('android-app://com.google.android.googlequicksearchbox/', anyPage)],
  [1.5, searchWithPhrase('https://www.bing.com/search', 'q')],
  [1, from('https://duckduckgo.com/', anyPage)],
  [1, searchWithPhrase('https://go.mail.ru/search', 'q')],
  [11, from('https://yandex.ru/', shopPage, campaign('yandex', 'cpc', SEASONS, 'yclid'))],
  [3, from('https://www.google.com/', shopPage, campaign('google', 'cpc', SEASONS, 'gclid'))],
  [3, from('https://vk.com/', shopPage, campaign('vk', 'paid_social', SEASONS, 'rb_clickid'))],
  [5, from('https://away.vk.com/', blogPage)],
  [1.5, from('https://ok.ru/', blogPage)],
  [2, from('https://dzen.ru/', blogPage)],
  [1, from('https://www.youtube.com/', blogPage)],
  [0.7, from('https://www.pinterest.com/', shopPage)],
  [2.5, from('https://web.telegram.org/', blogPage)],
  [1.5, from('android-app://org.telegram.messenger/', blogPage)],
  [1, from('https://web.whatsapp.com/', shopPage)],
  [3, from(null, () => SALE, campaign('newsletter', 'email', ['weekly', 'sale'], null))],
  [0.7, from('https://e.mail.ru/', () => SALE)],
  [1.2, from('https://chatgpt.com/', blogPage, () => '?utm_source=chatgpt.com')],
  [0.6, from('https://www.perplexity.ai/', blogPage)],
  [0.4, from('https://alice.yandex.ru/', blogPage)],
  [0.8, from(null, shopPage, () => '?utm_source=similar_items&utm_medium=recommendation')],
  [0.5, from('https://smi2.ru/', blogPage)],
  [2, from('https://tea-forum.example/topic/17', anyPage)],
  [1, from('https://recipes.example/iced-tea', blogPage)],
  [0.3, from('https://web.archive.org/web/2026/', blogPage)],
  [0.2, from('null', anyPage)],
];

/** Most returning visitors arrive directly. */
const RETURN_VISIT_SOURCES: readonly (readonly [number, ArrivalSource])[] = [
  [50, from(null, (chance) => (chance.percent(60) ? HOME : shopPage(chance)))],
  [12, from(null, () => SALE, campaign('newsletter', 'email', ['weekly', 'sale'], null))],
  [38, (chance) => chance.weighted(FIRST_VISIT_SOURCES)(chance)],
];

export function arrive(chance: Chance, isReturning: boolean): Arrival {
  return chance.weighted(isReturning ? RETURN_VISIT_SOURCES : FIRST_VISIT_SOURCES)(chance);
}
