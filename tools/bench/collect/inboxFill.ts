/** Fills the inbox as the intake does, with hits whose visits look like people's, but faster than people send them. */
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { storeCollected, type CollectedRequest } from '../../../db/collect/storeCollected.ts';
import type { CollectedEvent } from '../../../domain/collect/collected.ts';

/** Average number of hits per visit: three pages, each with a page view and one other hit. */
const HITS_PER_VISIT = 6;
const REQUEST_EVENTS = 2;
const PAGES = 2_000;
const REQUESTS_AT_A_TIME = 500;
/** Shorter than the pause that ends a visit, so that all visits are still open. */
const SPREAD_MS = 20 * 60_000;

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
];
const SOURCES = [
  null,
  null,
  'https://yandex.ru/',
  'https://www.google.com/',
  'https://vk.com/away.php',
  'https://t.me/shop_channel',
];

/** Returns the same UUID for the same number. */
export function visitorOf(number: number): string {
  const hex = createHash('md5').update(`visitor ${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/**
 * Stores `hits` events in requests of {@link REQUEST_EVENTS}, from visitors in turn.
 * @param visitors number of visitors; by default a sixth of the hits
 */
export async function fillInbox(
  pool: pg.Pool,
  siteIds: readonly string[],
  hits: number,
  visitors = Math.ceil(hits / HITS_PER_VISIT),
): Promise<void> {
  const requests = Math.floor(hits / REQUEST_EVENTS);
  const start = Date.now() - SPREAD_MS;
  for (let from = 0; from < requests; from += REQUESTS_AT_A_TIME) {
    const many = Array.from({ length: Math.min(REQUESTS_AT_A_TIME, requests - from) }, (_, index) =>
      requestOf(siteIds, from + index, visitors, start + ((from + index) / requests) * SPREAD_MS),
    );
    await storeCollected(pool, many, 24);
  }
}

function requestOf(siteIds: readonly string[], number: number, visitors: number, time: number): CollectedRequest {
  const at = Math.floor(time);
  // A large step without a common divisor, so that consecutive requests come from unrelated visitors.
  const visitor = (number * 7_919) % visitors;
  return {
    siteId: siteIds[visitor % siteIds.length] ?? '',
    visitorId: visitorOf(visitor),
    receivedAt: new Date(),
    ip: `77.88.${visitor % 200}.${visitor % 250}`,
    userAgent: AGENTS[visitor % AGENTS.length] ?? '',
    device: { screen: '1920x1080', window: '1280x720', language: 'ru-RU', timezone: 'Europe/Moscow' },
    events: eventsOf(
      number,
      number < visitors ? (SOURCES[visitor % SOURCES.length] ?? null) : 'https://shop.example.com/',
      at,
    ),
  };
}

function eventsOf(number: number, referrer: string | null, at: number): CollectedEvent[] {
  // Squaring the random number makes few pages popular.
  const page = Math.floor(Math.random() ** 2 * PAGES);
  const common = {
    url: `https://shop.example.com/catalogue/kitchen/item-${page}`,
    title: null,
    name: null,
    target: null,
    depth: null,
    x: null,
    y: null,
    selector: null,
    params: null,
    order: null,
    user: null,
    referrer: null,
  };
  return [
    {
      ...common,
      key: randomUUID(),
      at,
      type: 'pageview',
      referrer,
      title: `Кофемашина белая ${page} — магазин «Пример»`,
    },
    number % 2 === 0
      ? {
          ...common,
          key: randomUUID(),
          at: at + 400,
          type: 'click',
          x: 420,
          y: 1_300,
          selector: 'main > div.product:nth-child(3) > a.buy',
        }
      : { ...common, key: randomUUID(), at: at + 400, type: 'scroll', depth: 75 },
  ];
}
