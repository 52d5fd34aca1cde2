/** The events of the people, session by session, in order of time. */
import type { Random } from '../../../load/random.ts';
import { randomOf, weighted, zipf } from './chance.ts';
import { personOf } from './people.ts';
import { DAY_MS, EVENT_DAYS, type WorldSize } from './size.ts';
import { outlineOf } from './items.ts';
import type { WorldTopics } from './topics.ts';

/** An event of a person on an item, both by number; the types are those of every new project. */
export interface WorldEvent {
  person: number;
  item: number;
  type: string;
  value: number | null;
  /** Milliseconds since 1970. */
  at: number;
  order: number | null;
}

/** Average number of items met in a session, and of stored events per session. */
const ITEMS_PER_SESSION = 5;
const EVENTS_OF_SESSION = 8;
/** Shares of encounters in percent: from the person's own tastes, something new, the successor of the previous item. */
const TASTE_PERCENT = 85;
const NEW_PERCENT = 35;
const SEQUEL_PERCENT = 35;
const TRIES = 6;

/**
 * The items of a topic in two orders: from the most to the least popular (in the order of their numbers, which is as
 * good as a random one), and by publication.
 */
interface TopicItems {
  items: Uint32Array;
  newest: Uint32Array;
}

export interface ItemsByTopic {
  publishedAt: Float64Array;
  topicOf: Uint16Array;
  ofTopic: readonly TopicItems[];
  /** Position of each item among those of its topic. */
  positionOf: Uint32Array;
}

export function groupByTopic({ items }: WorldSize, { all }: WorldTopics, now: number): ItemsByTopic {
  const publishedAt = new Float64Array(items);
  const topicOf = new Uint16Array(items);
  const positionOf = new Uint32Array(items);
  const lists: number[][] = all.map(() => []);
  for (let n = 0; n < items; n += 1) {
    const [topic, at] = outlineOf(n, all, now);
    publishedAt[n] = at;
    topicOf[n] = topic.number;
    positionOf[n] = (lists[topic.number]?.push(n) ?? 1) - 1;
  }
  const byPublication = (a: number, b: number): number => (publishedAt[a] ?? 0) - (publishedAt[b] ?? 0);
  const ofTopic = lists.map((list) => ({
    items: Uint32Array.from(list),
    newest: Uint32Array.from(list.toSorted(byPublication)),
  }));
  return { publishedAt, topicOf, ofTopic, positionOf };
}

/** Yields about as many events as the size says; if a state is repeated, the last one counts. */
export function* sessionEvents(
  size: WorldSize,
  topics: WorldTopics,
  byTopic: ItemsByTopic,
  now: number,
): Generator<WorldEvent> {
  const random = randomOf('sessions');
  const sessions = Math.ceil(size.events / EVENTS_OF_SESSION);
  const starts = Float64Array.from({ length: sessions }, () => now - DAY_MS * EVENT_DAYS * random.next()).sort();
  let orders = 0;
  for (const start of starts) {
    // Few people visit often.
    const person = Math.floor(size.people * random.next() ** 2);
    const { tastes } = personOf(person, topics);
    let at = start;
    let last: number | null = null;
    const cart: number[] = [];
    for (let left = 1 + random.below(2 * ITEMS_PER_SESSION - 1); left > 0 && at < now; left -= 1) {
      const item = pick(random, topics, byTopic, { tastes, last, at });
      if (item === null) continue;
      for (const [type, value] of reactions(random)) yield { person, item, type, value, at, order: null };
      if (random.percent(5)) cart.push(item);
      last = item;
      at += 20_000 + random.below(120_000);
    }
    if (cart.length === 0) continue;
    orders += 1;
    for (const item of new Set(cart))
      yield { person, item, type: 'purchase', value: 500, at: Math.min(at, now), order: orders };
  }
}

function pick(
  random: Random,
  topics: WorldTopics,
  byTopic: ItemsByTopic,
  { tastes, last, at }: { tastes: readonly number[]; last: number | null; at: number },
): number | null {
  for (let left = TRIES; left > 0; left -= 1) {
    const found =
      last !== null && random.percent(SEQUEL_PERCENT)
        ? sequel(byTopic, last)
        : choose(random, topics, byTopic, tastes, at);
    if (found !== undefined && (byTopic.publishedAt[found] ?? Infinity) <= at) return found;
  }
  return null;
}

/** Returns the next item of the same topic, as parts of a course follow each other. */
function sequel({ ofTopic, topicOf, positionOf }: ItemsByTopic, last: number): number | undefined {
  return ofTopic[topicOf[last] ?? 0]?.items[(positionOf[last] ?? 0) + 1];
}

function choose(
  random: Random,
  { all, ofTaste }: WorldTopics,
  { ofTopic, publishedAt }: ItemsByTopic,
  tastes: readonly number[],
  at: number,
): number | undefined {
  const taste = random.percent(TASTE_PERCENT) ? tastes[zipf(random, tastes.length)] : undefined;
  const topic = random.pick(taste === undefined ? all : (ofTaste[taste] ?? all));
  const topicItems = ofTopic[topic.number];
  if (!topicItems || topicItems.items.length === 0) return undefined;
  if (!random.percent(NEW_PERCENT)) return topicItems.items[zipf(random, topicItems.items.length)];
  const published = countUntil(topicItems.newest, publishedAt, at);
  return published === 0 ? undefined : topicItems.newest[published - 1 - zipf(random, published)];
}

/** Returns how many items were published by the time `at`. */
function countUntil(newest: Uint32Array, publishedAt: Float64Array, at: number): number {
  let low = 0;
  let high = newest.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((publishedAt[newest[middle] ?? 0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const REACTIONS: readonly (readonly [number, string | null])[] = [
  [82, null],
  [8, 'like'],
  [3, 'favourite'],
  [2, 'share'],
  [2, 'comment'],
  [2, 'dislike'],
  [1, 'hide'],
];

function reactions(random: Random): [type: string, value: number | null][] {
  const reaction = weighted(random, REACTIONS);
  const isState = reaction !== null && reaction !== 'share' && reaction !== 'comment';
  return [
    ['open', null],
    ...(random.percent(50) ? [['view', 5 * random.below(21)] as [string, number]] : []),
    ...(reaction === null ? [] : [[reaction, isState ? 1 : null] as [string, number | null]]),
  ];
}
