/** Events are judged one by one: which events of a batch are dropped, and which oddities are accepted. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { stageApi } from '../support/stageApi.ts';
import { type Answer } from '../support/testApi.ts';
import { batch, collect, createTestSite, event, readInbox, type InboxRow, type TestSite } from './support/site.ts';

const stage = stageApi();
let site: TestSite;

const HOUR_MS = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const post = (...events: unknown[]): Promise<Answer> => collect(stage.api, batch(site.tagKey, events));

async function stored(): Promise<InboxRow> {
  const rows = await readInbox(stage.database.pool, site.id);
  expect(rows).toHaveLength(1);
  return rows[0] as InboxRow;
}

/** Returns the code with which an event is dropped, or null when it is accepted. */
async function drop(given: unknown): Promise<string | null> {
  const { status, body } = await post(given);
  expect(status).toBe(202);
  expect(body.accepted + body.dropped.length).toBe(1);
  return body.dropped[0]?.code ?? null;
}

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
});

describe('an event', () => {
  it('has addresses that are cut between characters, not within one', async () => {
    const long = (begin: string): string => `${begin}${'🙂'.repeat(2048 - [...begin].length)}`;
    const view = { url: long('https://shop.test/'), referrer: long('r'), target: long('t') };
    expect(await drop(event({ type: 'outbound', ...view }))).toBeNull();
    const [hit] = (await stored()).batch.events;
    for (const address of [hit?.url, hit?.referrer, hit?.target]) {
      expect(address?.isWellFormed()).toBe(true);
      expect(address?.length).toBeGreaterThan(2040);
    }
  });

  // proves: collect/device, collect-event/id, collect-event/url, collect-event/referrer, collect-event/title
  // proves: collect-event/name, collect-event/target, collect-event/depth, collect-event/x-y-selector
  // proves: collect-event/order
  it('may have values at their limits', async () => {
    const text = (length: number): string => '🙂'.repeat(length);
    const address = (length: number): string => `https://shop.test/${'ж'.repeat(length - 'https://shop.test/'.length)}`;
    const products = Array.from({ length: 200 }, () => ({ id: 'p', price: 0, qty: 0.001 }));
    const views = [
      event({
        id: text(36),
        url: address(2048),
        referrer: 'r'.repeat(2048),
        title: text(1000),
        name: text(255),
        target: 't'.repeat(2048),
        selector: text(1000),
        depth: 100,
        x: 1e8,
        y: -1e8,
      }),
      event({ type: 'goal', name: 'a-z_0'.padEnd(64, '9'), params: { a: 'x'.repeat(2040) } }),
      event({ type: 'scroll', depth: 0 }),
      event({ type: 'scroll', depth: 100, document_width: 1e8, document_height: 33_554_428, viewport_height: 1e8 }),
      event({
        type: 'purchase',
        order: { transaction_id: text(191), revenue: 1e12, currency: 'RUB', promo_code: text(255), products },
      }),
      event({
        type: 'purchase',
        order: {
          transaction_id: '2',
          products: [
            {
              id: text(255),
              name: text(1000),
              category: text(1000),
              brand: text(255),
              variant: text(255),
              price: 1e12,
              qty: 1e9,
              sku: 'a field that orders do not have',
            },
          ],
        },
      }),
    ];
    const device = { screen: text(32), window: text(32), language: text(64), timezone: text(64) };
    expect((await collect(stage.api, batch(site.tagKey, views, { device }))).body).toEqual({
      accepted: views.length,
      dropped: [],
    });
    const {
      batch: {
        events: [view],
      },
    } = await stored();
    expect([view?.url.length, view?.title, view?.selector, view?.depth, view?.x, view?.y]).toEqual([
      2048,
      text(1000),
      text(1000),
      100,
      1e8,
      -1e8,
    ]);
  });
});

describe('the sender of an event', () => {
  // proves: collect/user-agent
  it('has the address of the connection, unless a trusted proxy forwards another', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await collect(stage.api, batch(site.tagKey), { headers })).status).toBe(202);
    expect((await stored()).ip).toBe('127.0.0.1');
  });
});

describe('a single bad event', () => {
  // proves: collect/202, collect-event/invalid_event
  it('is dropped and named by its position, and the others are accepted', async () => {
    const repeated = event();
    const { status, body } = await post(
      event(),
      event({ type: 'nothing' }),
      repeated,
      event({ at: ago(25 * HOUR_MS) }),
      repeated,
      event({ params: { a: 'x'.repeat(2048) } }),
      event(),
    );
    expect([status, body]).toEqual([
      202,
      {
        accepted: 3,
        dropped: [
          { index: 1, code: 'invalid_event' },
          { index: 3, code: 'too_old' },
          { index: 4, code: 'duplicate' },
          { index: 5, code: 'too_large' },
        ],
      },
    ]);
    expect((await stored()).batch.events).toHaveLength(3);
  });

  it.each<[string, unknown]>([
    // proves: collect-event/invalid_event
    ['null', null],
    ['a text', 'event'],
    ['a list', []],
    // proves: collect-event/invalid_event
    ['an empty object', {}],
    // proves: collect-event/id
    ['no id', event({ id: undefined })],
    // proves: collect-event/id
    ['an empty id', event({ id: '' })],
    // proves: collect-event/id
    ['a long id', event({ id: 'x'.repeat(37) })],
    ['a number for id', event({ id: 1 })],
    // proves: collect-event/at
    ['no time', event({ at: undefined })],
    // proves: collect-event/at
    ['a number for time', event({ at: 1_700_000_000_000 })],
    // proves: collect-event/at
    ['a time without zone', event({ at: '2026-11-20T10:00:00.000' })],
    // proves: collect-event/at
    ['an invalid time', event({ at: '2026-02-30T10:00:00Z' })],
    // proves: collect-event/type
    ['no type', event({ type: undefined })],
    // proves: collect-event/type
    ['an unknown type', event({ type: 'hit' })],
    ['a type that every object inherits', event({ type: 'constructor' })],
    // proves: collect-event/url
    ['no url', event({ url: undefined })],
    // proves: collect-event/url
    ['a relative url', event({ url: '/cart' })],
    // proves: collect-event/url
    ['a long url', event({ url: `https://shop.test/${'x'.repeat(2048)}` })],
    ['a url that is not of a page', event({ url: 'data:text/html,x' })],
    ['a script for url', event({ url: 'javascript:alert(1)' })],
    ['a url without host', event({ url: 'http://' })],
    // proves: collect-event/referrer
    ['a long referrer', event({ referrer: 'x'.repeat(2049) })],
    // proves: collect-event/title
    ['a long title', event({ title: 'x'.repeat(1001) })],
    // proves: collect-event/name
    ['a long name', event({ type: 'event', name: 'x'.repeat(256) })],
    // proves: collect-event/target
    ['a long target', event({ type: 'outbound', target: 'x'.repeat(2049) })],
    // proves: collect-event/x-y-selector
    ['a long selector', event({ selector: 'x'.repeat(1001) })],
    ['a place beyond its element', event({ element_x: 1.01 })],
    ['a window of negative size', event({ viewport_width: -1 })],
    // proves: collect-event/depth
    ['a string for depth', event({ type: 'scroll', depth: '50' })],
    // proves: collect-event/x-y-selector
    ['a place far beyond any page', event({ type: 'click', x: 100_000_001, y: 0 })],
    // proves: collect-event/order
    ['a long transaction id', event({ type: 'purchase', order: { transaction_id: 'x'.repeat(192) } })],
    ['a number for the transaction id', event({ type: 'refund', order: { transaction_id: 7 } })],
    // proves: collect-event/order
    ['a long promo code', event({ type: 'purchase', order: { transaction_id: '1', promo_code: 'x'.repeat(256) } })],
    // proves: collect-event/order
    ['products that are not a list', event({ type: 'purchase', order: { transaction_id: '1', products: {} } })],
    [
      'a long product name',
      event({ type: 'purchase', order: { transaction_id: '1', products: [{ name: 'x'.repeat(1001) }] } }),
    ],
    // proves: collect-event/name
    ['an event without name', event({ type: 'event' })],
    ['an event with an empty name', event({ type: 'event', name: '' })],
    // proves: collect-event/name
    ['a goal without code', event({ type: 'goal' })],
    // proves: tag-limits/goal-code, collect-event/name
    ['a goal with a bad code', event({ type: 'goal', name: 'Заказ' })],
    // proves: tag-limits/goal-code
    ['a goal with a long code', event({ type: 'goal', name: 'x'.repeat(65) })],
    // proves: collect-event/order
    ['a purchase without order', event({ type: 'purchase' })],
    ['a refund without order', event({ type: 'refund' })],
    ['a refund with order null', event({ type: 'refund', order: null })],
    // proves: collect-event/user
    ['a user event without a user', event({ type: 'user' })],
    // proves: collect-event/target
    ['a link without target', event({ type: 'outbound' })],
    // proves: collect-event/target
    ['a download without target', event({ type: 'download' })],
    // proves: collect-event/depth
    ['a scroll without depth', event({ type: 'scroll' })],
    // proves: collect-event/depth
    ['a depth beyond the page', event({ type: 'scroll', depth: 101 })],
    // proves: collect-event/depth
    ['a negative depth', event({ type: 'scroll', depth: -1 })],
    // proves: collect-event/x-y-selector
    ['a string for x', event({ type: 'click', x: '1' })],
    // proves: collect-event/params
    ['a list for params', event({ params: [] })],
    // proves: collect-event/user
    ['a string for user', event({ type: 'user', user: 'me' })],
    // proves: collect-event/order
    ['an order without id', event({ type: 'purchase', order: {} })],
    ['an order with an empty id', event({ type: 'purchase', order: { transaction_id: '' } })],
    // proves: collect-event/order
    ['a string for revenue', event({ type: 'purchase', order: { transaction_id: '1', revenue: '1' } })],
    // proves: collect-event/order
    ['a negative revenue', event({ type: 'purchase', order: { transaction_id: '1', revenue: -1 } })],
    // proves: collect-event/order
    ['a currency of four letters', event({ type: 'purchase', order: { transaction_id: '1', currency: 'RUBL' } })],
    ['a currency with a digit', event({ type: 'purchase', order: { transaction_id: '1', currency: 'R1B' } })],
    // proves: collect-event/order
    [
      'a product without id and name',
      event({ type: 'purchase', order: { transaction_id: '1', products: [{ price: 1 }] } }),
    ],
    ['a product with empty id', event({ type: 'purchase', order: { transaction_id: '1', products: [{ id: '' }] } })],
    [
      'a negative price',
      event({ type: 'purchase', order: { transaction_id: '1', products: [{ id: '1', price: -1 }] } }),
    ],
    [
      'a quantity of zero',
      event({ type: 'purchase', order: { transaction_id: '1', products: [{ id: '1', qty: 0 }] } }),
    ],
    // proves: collect-event/order
    [
      '201 products',
      event({
        type: 'purchase',
        order: { transaction_id: '1', products: Array.from({ length: 201 }, () => ({ id: '1' })) },
      }),
    ],
    // proves: collect-event/invalid_event
    ['an unknown field', event({ adress: 1 })],
    // proves: collect-event/order
    ['an unknown field of the order', event({ type: 'purchase', order: { transaction_id: '1', tax: 1 } })],
    // proves: collect-event/invalid_event
    ['NUL', event({ title: 'a\0b' })],
    ['NUL in params', event({ params: { deep: [{ 'a\0': 1 }] } })],
    // proves: collect-event/invalid_event
    ['half a character', event({ title: '\ud800' })],
    ['half a character in a user', event({ type: 'user', user: { city: '\udc00' } })],
  ])('is invalid_event: %s', async (_what, given) => {
    expect(await drop(given)).toBe('invalid_event');
  });

  it('is invalid_event: a number beyond the range of a double', async () => {
    const text = JSON.stringify(batch(site.tagKey, [event({ params: { a: 12_345 } })])).replace('12345', '1e999');
    expect((await collect(stage.api, text)).body.dropped).toEqual([{ index: 0, code: 'invalid_event' }]);
  });

  // proves: collect-event/title
  it('is not one with a title of 1,000 emoji: characters are counted, not code units', async () => {
    expect(await drop(event({ title: '🙂'.repeat(1000) }))).toBeNull();
  });

  // proves: collect-event/params
  it('is too_large above 2 KB of params, and above 4 KB of a user', async () => {
    const params = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(await drop(event({ params: params(2048) }))).toBeNull();
    expect(await drop(event({ params: params(2049) }))).toBe('too_large');
    expect(await drop(event({ params: { a: 'ж'.repeat(1100) } }))).toBe('too_large');
    expect(await drop(event({ type: 'user', user: { params: params(4096) } }))).toBeNull();
    expect(await drop(event({ type: 'user', user: { params: params(4097) } }))).toBe('too_large');
  });
});
