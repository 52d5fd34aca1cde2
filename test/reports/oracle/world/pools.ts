/** Values for rows of the random worlds: few, so that they coincide. */
import type { TrafficSource } from '../../../../domain/sites/trafficSource.ts';

/** A clock change, a new year, a leap day, a day without midnight, a day after a skipped one. */
export const DAYS = [
  ['2026-10-25', 'Europe/Berlin'],
  ['2026-03-29', 'Europe/Berlin'],
  ['2026-03-29', 'Asia/Beirut'],
  ['2026-04-24', 'Africa/Cairo'],
  ['2026-09-06', 'America/Santiago'],
  ['2026-11-01', 'America/New_York'],
  ['2025-12-31', 'Asia/Kolkata'],
  ['2024-02-29', 'UTC'],
  ['2027-01-01', 'Europe/Moscow'],
  ['2026-07-01', 'Pacific/Apia'],
  ['2026-04-05', 'Australia/Lord_Howe'],
] as const;

export const PATHS = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/c',
  '/a/b/c/d',
  '/каталог/чай',
  '//x',
  'about:blank',
  '',
  '/A',
  `/${'long/'.repeat(100)}`,
] as const;
export const TITLES = ['Home', 'Чай «Ёлка»', '', 'home', '🫖 tea', null] as const;
export const DOMAINS = ['shop.example', 'xn--e1afmkfd.example', ''] as const;

/** In the form that the ingest writes: JSON.stringify of an object. */
export const PARAMS: readonly (string | null)[] = [
  null,
  ...[
    {},
    { plan: 'annual' },
    { plan: 'Годовой', n: 1 },
    { plan: 1 },
    { plan: 1.5, n: -0.25 },
    { plan: true },
    { plan: null },
    { plan: [1, 'a'] },
    { plan: { deep: 'x' } },
    { 'a.b': 'dot', $: 'dollar', "it's": 'quote', 'say "hi"': 'double', '': 'empty key' },
    { a: { b: 'not a.b' }, plan: '' },
    { '/a': 'slash', '*': 'star', '[0]': 'bracket', 'a:b': 'colon' },
    { plan: '<b>"\\\n\t🫖' },
  ].map((params) => JSON.stringify(params)),
];
export const PARAM_KEYS = [
  'plan',
  'n',
  'a.b',
  '$',
  "it's",
  'say "hi"',
  'a',
  '/a',
  '*',
  '[0]',
  'a:b',
  'none',
  '__proto__',
] as const;

export const EVENT_NAMES = ['video', 'Видео', 'add', null] as const;
export const FORMS = ['contact', 'Заявка', null] as const;
export const TARGETS = [
  ['https://other.example/x', 'other.example'],
  ['https://t.me/x', 't.me'],
  ['mailto:a', null],
  [null, null],
] as const;

export const SOURCE_VALUES: Readonly<Record<keyof TrafficSource, readonly (string | null)[]>> = {
  source_type: ['direct', 'organic', 'ad', 'referral', 'unknown'],
  source_name: ['Яндекс', 'google', null],
  search_engine: ['yandex', null],
  search_phrase: ['купить чай', 'ЧАЙ', null],
  social_network: ['vk', null],
  messenger: ['telegram', null],
  ai_assistant: ['chatgpt', null],
  ad_system: ['direct', null],
  referrer_domain: ['ya.ru', 'google.com', null],
  referrer_url: ['https://ya.ru/', null],
  utm_source: ['News', 'news', null],
  utm_medium: ['email', null],
  utm_campaign: ['весна', null],
  utm_content: ['a', null],
  utm_term: ['t', null],
  click_id: ['gclid:1', null],
};

export const GOALS = ['lead', 'call', 'buy_1'] as const;
/** A goal that has been deleted since. */
export const GONE_GOAL = 'gone';

export const CURRENCIES = ['RUB', 'USD', 'EUR'] as const;
export const PRODUCTS: readonly [
  id: string | null,
  name: string | null,
  brand: string | null,
  variant: string | null,
  category: string | null,
][] = [
  ['p1', 'Чайник', 'Acme', 'red', 'Дом/Кухня/Чайники'],
  ['p2', 'Чай', null, '100 г', 'Еда'],
  ['p2', 'Чай', null, '50 г', 'Еда//Чай'],
  ['p3', 'Cup', 'Acme', null, 'Дом/Кухня/Чашки/Белые/Тонкие/Особые'],
  [null, null, null, null, null],
];

/** The second and the third are in a sample of persons. */
export const USERS = ['u1', 'u2', 'Пользователь 2', '00000000-0000-4000-8000-000000000000'] as const;

export const AUDIENCE = {
  gender: ['male', 'female'],
  age_group: ['18-24', '35-44'],
  company_type: ['self_employed', 'small_company'],
  industry: ['agriculture', 'forestry'],
  company_region: ['RU-MOW', 'DE'],
  price_segment: ['economy', 'premium'],
} as const;
export const INTERESTS = ['auto', 'music', 'sport-football'] as const;
export const CATEGORIES = ['electronics', 'smartphones'] as const;
export const PLACES = [
  ['RU', 'RU-MOW', 'ru-moscow'],
  ['RU', 'RU-TA', 'ru-kazan'],
  ['DE', null, null],
] as const;
export const VISITOR_PARAMS = ['plan', 'a.b', 'n'] as const;
