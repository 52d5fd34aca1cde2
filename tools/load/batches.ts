/** Generates batches as the tag on a shop's pages sends them, quickly: seeded, from many visitors, with unique ids. */
import { createHash } from 'node:crypto';

const VISITORS = 50_000;
const PAGES = 2_000;
const WORDS = [
  'Кофемашина',
  'чайник',
  'доставка',
  'каталог',
  'скидки',
  'отзывы',
  'белый',
  'стальной',
  'для дома',
  'обзор',
  'сравнение',
  'новинки',
];
const SOURCES = [
  '',
  '',
  '',
  'https://yandex.ru/',
  'https://www.google.com/',
  'https://vk.com/away.php',
  'https://t.me/shop_channel',
  'https://mail.ru/search?q=%D1%87%D0%B0%D0%B9%D0%BD%D0%B8%D0%BA',
];
const UTM = [
  '',
  '',
  '?utm_source=letter&utm_medium=email&utm_campaign=autumn',
  '?yclid=15472913648212',
  '?utm_source=yandex&utm_medium=cpc&utm_campaign=brand&utm_term=%D1%87%D0%B0%D0%B9%D0%BD%D0%B8%D0%BA',
];

/** Creates a small, sufficiently random generator (mulberry32) with the same sequence for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a UUID in the form of version 4, the same for the same number. */
function visitorId(number: number): string {
  const hex = createHash('md5').update(`visitor ${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/**
 * Returns a function that makes the JSON of one batch after another. About two thirds are page views, the rest clicks,
 * scrolling and events, as the tag reports them.
 * @param events number of events in each batch
 */
export function createBatches(key: string, events: number, seed: number): () => string {
  const chance = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const visitors = Array.from({ length: VISITORS }, (_visitor, number) => visitorId(number));
  const pages = Array.from({ length: PAGES }, (_page, number) => ({
    path: `/catalogue/${['kitchen', 'home', 'garden'][number % 3]}/item-${number}`,
    title: `${pick(WORDS)} ${pick(WORDS)} ${number} — магазин «Пример»`,
  }));
  let count = 0;
  const event = (at: number): object => {
    // Squaring the random number makes few pages popular.
    const page = pages[Math.floor(chance() ** 2 * PAGES)] ?? { path: '/', title: '' };
    const common = {
      id: `${seed.toString(36)}-${(count += 1).toString(36)}`,
      at: new Date(at).toISOString(),
      url: `https://shop.example.com${page.path}`,
    };
    const kind = chance();
    if (kind < 0.66)
      return { ...common, type: 'pageview', url: common.url + pick(UTM), referrer: pick(SOURCES), title: page.title };
    if (kind < 0.8)
      return {
        ...common,
        type: 'click',
        x: Math.floor(chance() * 1200),
        y: Math.floor(chance() * 4000),
        selector: 'main > div.product:nth-child(3) > a.buy',
      };
    if (kind < 0.9) return { ...common, type: 'scroll', depth: pick([25, 50, 75, 90, 100]) };
    return {
      ...common,
      type: 'event',
      name: 'add_to_cart',
      params: {
        product: `item-${Math.floor(chance() * PAGES)}`,
        price: Math.floor(chance() * 90_000),
        currency: 'RUB',
      },
    };
  };
  return () => {
    const sentAt = Date.now();
    return JSON.stringify({
      key,
      visitor_id: pick(visitors),
      sent_at: new Date(sentAt).toISOString(),
      device: { screen: '1920x1080', window: '1280x720', language: 'ru-RU', timezone: 'Europe/Moscow' },
      events: Array.from({ length: events }, (_event, index) => event(sentAt - (events - index) * 400)),
    });
  };
}

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/**
 * Returns the bytes of POST /collect, as a browser's beacon sends it.
 * @param from the visitor's address, as a proxy names it; for an API that trusts this machine as its proxy
 */
export function collectRequest(body: string, from: string | null = null): string {
  const head = [
    'POST /collect HTTP/1.1',
    'Host: attune',
    'Origin: https://shop.example.com',
    'Content-Type: text/plain;charset=UTF-8',
    `User-Agent: ${BROWSER}`,
    ...(from === null ? [] : [`X-Forwarded-For: ${from}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
