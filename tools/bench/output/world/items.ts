/** The items of the benchmark; each is derived from its number alone. */
import type { ItemStatus, ItemType } from '../../../../domain/analysis/steps.ts';
import type { Random } from '../../../load/random.ts';
import { randomOf, weighted, zipf } from './chance.ts';
import { DAY_MS, PUBLISHED_DAYS } from './size.ts';
import type { WorldTopic } from './topics.ts';
import { sentence, wordOf, type Language } from './words.ts';

export interface WorldItem {
  topic: WorldTopic;
  language: Language;
  type: ItemType;
  title: string;
  description: string;
  body: string;
  author: string;
  publishedAt: number;
  properties: Record<string, unknown>;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  tags: readonly string[];
  ageRating: string | null;
}

const RUSSIAN = 70;
const CITIES = ['Москва', 'Санкт-Петербург', 'Казань', 'Новосибирск', 'Екатеринбург', 'Самара', 'Пермь', 'Омск'];
const LEVELS = ['beginner', 'middle', 'expert'];
const FORMATS = ['online', 'offline', 'recording', 'live'];
const AUTHORS_OF_TOPIC = 12;
const TAGS_OF_TOPIC = 25;
const NAMED_IN_TITLE = 50;

/** Properties that the project declares, for filters and facets. */
export const PROPERTIES = [
  ['price', 'number'],
  ['city', 'string'],
  ['level', 'string'],
  ['free', 'boolean'],
  ['formats', 'string_array'],
  ['starts_at', 'datetime'],
] as const;

const TYPES: readonly (readonly [number, ItemType])[] = [
  [60, 'text'],
  [20, 'video'],
  [10, 'image'],
  [5, 'audio'],
  [5, 'mixed'],
];
const RATINGS: readonly (readonly [number, string | null])[] = [
  [40, '0+'],
  [20, '6+'],
  [15, '12+'],
  [10, '16+'],
  [5, '18+'],
  [10, null],
];

/**
 * Returns an item without its texts, as sessions need it. The more recent a day, the more items were published on it.
 */
export function outlineOf(n: number, topics: readonly WorldTopic[], now: number): [topic: WorldTopic, at: number] {
  const random = randomOf('outline', n);
  const topic = random.pick(topics);
  return [topic, now - DAY_MS * PUBLISHED_DAYS * random.next() ** 2];
}

/** @param now end of the world's time, in milliseconds */
export function itemOf(n: number, topics: readonly WorldTopic[], now: number): WorldItem {
  const [topic, publishedAt] = outlineOf(n, topics, now);
  const random = randomOf('item', n);
  const language = random.percent(RUSSIAN) ? 'ru' : 'en';
  const text = (length: number): string => sentence(random, language, topic.number, length);
  return {
    topic,
    language,
    type: weighted(random, TYPES),
    title: titleOf(random, topic, language),
    description: text(20),
    body: Array.from({ length: 8 }, () => text(15)).join(' '),
    author: `author ${topic.number * AUTHORS_OF_TOPIC + zipf(random, AUTHORS_OF_TOPIC)}`,
    publishedAt,
    properties: propertiesOf(random, publishedAt),
    available: !random.percent(2),
    deleted: random.percent(1),
    status: random.percent(1) ? 'failed' : 'ready',
    tags: Array.from({ length: 3 }, () => `${topic.names.en} ${zipf(random, TAGS_OF_TOPIC)}`),
    ageRating: weighted(random, RATINGS),
  };
}

function titleOf(random: Random, { number, names }: WorldTopic, language: Language): string {
  const words = Array.from({ length: 2 + random.below(4) }, () => wordOf(random, language, number)).join(' ');
  return random.percent(NAMED_IN_TITLE) ? `${names[language]}: ${words}` : words;
}

function propertiesOf(random: Random, publishedAt: number): Record<string, unknown> {
  const free = random.percent(20);
  return {
    price: free ? 0 : 100 * (1 + zipf(random, 300)),
    free,
    level: random.pick(LEVELS),
    formats: FORMATS.filter(() => random.percent(40)),
    ...(random.percent(60) && { city: CITIES[zipf(random, CITIES.length)] }),
    ...(random.percent(30) && { starts_at: new Date(publishedAt + DAY_MS * random.below(60)).toISOString() }),
    // Not declared, so the catalogue omits it.
    sku: `sku-${random.below(1_000_000)}`,
  };
}
