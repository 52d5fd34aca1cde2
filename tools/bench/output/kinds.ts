/** The kinds of requests that integrators send, as the API's document describes them. */
import { randomOf, weighted, zipf } from './world/chance.ts';
import type { World } from './world/fill.ts';
import { itemOf } from './world/items.ts';
import { personOf } from './world/people.ts';
import { itemId, userId } from './world/size.ts';
import type { Random } from '../../load/random.ts';
import { mistaken } from './mistakes.ts';

export interface OutputRequest {
  path: string;
  body: object;
}

export interface RequestKind {
  name: string;
  /** Share in the mix, in percent. */
  share: number;
  make(world: World, random: Random): OutputRequest;
}

const PAGE = 20;
const CITIES = ['Москва', 'Казань'];
/** Fields that a page shows for each item. */
const FIELDS = ['title', 'url', 'image_url'];

/** Returns a known person, mostly one who visits often; sometimes a visitor, or nobody. */
function userOf({ size }: World, random: Random): object {
  if (random.percent(10)) return {};
  if (random.percent(15)) return { user: { anonymous_id: `visitor-${random.below(1_000_000)}` } };
  return { user: { user_id: userId(Math.floor(size.people * random.next() ** 2)) } };
}

/** Returns a random item; few items are viewed often. */
const anyItem = ({ size }: World, random: Random): string => itemId(zipf(random, size.items));

/** Returns two to seven random items, as one session might view them. */
function sessionOf(world: World, random: Random): string[] {
  return Array.from({ length: 2 + random.below(6) }, () => anyItem(world, random));
}

/** Returns filters for one request in five. */
function narrowing(random: Random): object {
  if (!random.percent(20)) return {};
  return weighted<object>(random, [
    [3, { filters: [{ property: 'price', op: 'lte', value: 3_000 }] }],
    [3, { filters: [{ property: 'city', op: 'in', value: CITIES }] }],
    [2, { types: ['text', 'video'] }],
    [1, { filters: [{ property: 'formats', op: 'contains_any', value: ['online'] }], max_age_rating: '12+' }],
  ]);
}

const common = (world: World, random: Random): object => ({
  ...userOf(world, random),
  ...narrowing(random),
  limit: PAGE,
  surface: 'main',
  fields: FIELDS,
});

function queryOf(world: World, random: Random): string {
  const { topics, size, now } = world;
  const { title, topic, language } = itemOf(zipf(random, size.items), topics.all, now);
  if (random.percent(25)) return topic.names[language];
  const words = title
    .replaceAll(/[^\p{L}\p{N} ]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean);
  const from = random.below(Math.max(1, words.length - 1));
  return mistaken(random, words.slice(from, from + 1 + random.below(3)).join(' '));
}

const searchOf =
  (semantic: number | 'auto') =>
  (world: World, random: Random): OutputRequest => ({
    path: '/search',
    body: {
      ...common(world, random),
      query: queryOf(world, random),
      semantic,
      ...(random.percent(30) && { facets: ['types', 'topics', 'city'] }),
    },
  });

/** Returns the beginning of a query, as a person has typed it so far. */
function beginningOf(query: string, random: Random): string {
  return query.slice(0, Math.max(2, Math.min(query.length, 2 + random.below(8))));
}

export const REQUEST_KINDS: readonly RequestKind[] = [
  {
    name: 'feed',
    share: 35,
    make: (world, random) => ({ path: '/recommendations/feed', body: common(world, random) }),
  },
  {
    name: 'similar',
    share: 22,
    make: (world, random) => ({
      path: '/recommendations/similar',
      body: { item: anyItem(world, random), ...common(world, random) },
    }),
  },
  {
    name: 'next',
    share: 12,
    make: (world, random) => ({
      path: '/recommendations/next',
      body: {
        ...(random.percent(50) ? { item: anyItem(world, random) } : { items: sessionOf(world, random) }),
        ...common(world, random),
      },
    }),
  },
  { name: 'search, hybrid', share: 10, make: searchOf('auto') },
  { name: 'search, lexical', share: 8, make: searchOf(0) },
  {
    name: 'suggest',
    share: 5,
    make: (world, random) => ({
      path: '/search/suggest',
      body: { query: beginningOf(queryOf(world, random), random), ...userOf(world, random) },
    }),
  },
  {
    name: 'popular',
    share: 4,
    make: (world, random) => ({
      path: '/recommendations/popular',
      body: {
        ...common(world, random),
        period: random.pick(['1d', '7d', '30d']),
        kind: random.percent(70) ? 'total' : 'trending',
        ...(random.percent(30) && { region: personOf(random.below(world.size.people), world.topics).city ?? 'Москва' }),
      },
    }),
  },
  {
    name: 'together',
    share: 4,
    make: (world, random) => ({
      path: '/recommendations/together',
      body: { ...common(world, random), items: sessionOf(world, random).slice(0, 3) },
    }),
  },
];

/** Returns the same requests in each run. */
export const requestsOf = (kind: RequestKind, world: World, count: number, part = kind.name): OutputRequest[] => {
  const random = randomOf(`requests ${part}`);
  return Array.from({ length: count }, () => kind.make(world, random));
};
