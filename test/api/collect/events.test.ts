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
        x: 1e7,
        y: -1e7,
      }),
      event({ type: 'goal', name: 'a-z_0'.padEnd(64, '9'), params: { a: 'x'.repeat(2040) } }),
      event({ type: 'scroll', depth: 0 }),
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
      1e7,
      -1e7,
    ]);
  });
});

describe('a single bad event', () => {
  it('is dropped by its place, and the others are taken', async () => {
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
    ['null', null],
    ['a text', 'event'],
    ['a list', []],
    ['an empty object', {}],
    ['no id', event({ id: undefined })],
    ['an empty id', event({ id: '' })],
    ['a long id', event({ id: 'x'.repeat(37) })],
    ['a number for id', event({ id: 1 })],
    ['no time', event({ at: undefined })],
    ['a number for time', event({ at: 1_700_000_000_000 })],
    ['a time without zone', event({ at: '2026-11-20T10:00:00.000' })],
    ['a time that is none', event({ at: '2026-02-30T10:00:00Z' })],
    ['no type', event({ type: undefined })],
    ['an unknown type', event({ type: 'hit' })],
    ['a type of a prototype', event({ type: 'constructor' })],
    ['no url', event({ url: undefined })],
    ['a relative url', event({ url: '/cart' })],
    ['a long url', event({ url: `https://shop.test/${'x'.repeat(2048)}` })],
    ['a url of no page', event({ url: 'data:text/html,x' })],
    ['a script for url', event({ url: 'javascript:alert(1)' })],
    ['a url without host', event({ url: 'http://' })],
    ['a long referrer', event({ referrer: 'x'.repeat(2049) })],
    ['a long title', event({ title: 'x'.repeat(1001) })],
    ['a long name', event({ type: 'event', name: 'x'.repeat(256) })],
    ['a long target', event({ type: 'outbound', target: 'x'.repeat(2049) })],
    ['a long selector', event({ selector: 'x'.repeat(1001) })],
    ['a place beyond its element', event({ element_x: 1.01 })],
    ['a window of less than nothing', event({ viewport_width: -1 })],
    ['a text for depth', event({ type: 'scroll', depth: '50' })],
    ['a place far beyond any page', event({ type: 'click', x: 10_000_001, y: 0 })],
    ['a long transaction id', event({ type: 'purchase', order: { transaction_id: 'x'.repeat(192) } })],
    ['a number for the transaction id', event({ type: 'refund', order: { transaction_id: 7 } })],
    ['a long promo code', event({ type: 'purchase', order: { transaction_id: '1', promo_code: 'x'.repeat(256) } })],
    ['products that are no list', event({ type: 'purchase', order: { transaction_id: '1', products: {} } })],
    [
      'a long product name',
      event({ type: 'purchase', order: { transaction_id: '1', products: [{ name: 'x'.repeat(1001) }] } }),
    ],
    ['an event without name', event({ type: 'event' })],
    ['an event with an empty name', event({ type: 'event', name: '' })],
    ['a goal without code', event({ type: 'goal' })],
    ['a goal with a bad code', event({ type: 'goal', name: 'Заказ' })],
    ['a goal with a long code', event({ type: 'goal', name: 'x'.repeat(65) })],
    ['a purchase without order', event({ type: 'purchase' })],
    ['a refund with order null', event({ type: 'refund', order: null })],
    ['a user without user', event({ type: 'user' })],
    ['a link without target', event({ type: 'outbound' })],
    ['a scroll without depth', event({ type: 'scroll' })],
    ['a depth beyond the page', event({ type: 'scroll', depth: 101 })],
    ['a depth before it', event({ type: 'scroll', depth: -1 })],
    ['a text for x', event({ type: 'click', x: '1' })],
    ['a list for params', event({ params: [] })],
    ['a text for user', event({ type: 'user', user: 'me' })],
    ['an order without id', event({ type: 'purchase', order: {} })],
    ['an order with an empty id', event({ type: 'purchase', order: { transaction_id: '' } })],
    ['a text for revenue', event({ type: 'purchase', order: { transaction_id: '1', revenue: '1' } })],
    ['a negative revenue', event({ type: 'purchase', order: { transaction_id: '1', revenue: -1 } })],
    ['a currency of four letters', event({ type: 'purchase', order: { transaction_id: '1', currency: 'RUBL' } })],
    [
      'a product without id and name',
      event({ type: 'purchase', order: { transaction_id: '1', products: [{ price: 1 }] } }),
    ],
    ['a product with empty id', event({ type: 'purchase', order: { transaction_id: '1', products: [{ id: '' }] } })],
    [
      'a negative price',
      event({ type: 'purchase', order: { transaction_id: '1', products: [{ id: '1', price: -1 }] } }),
    ],
    ['no quantity', event({ type: 'purchase', order: { transaction_id: '1', products: [{ id: '1', qty: 0 }] } })],
    [
      '201 products',
      event({
        type: 'purchase',
        order: { transaction_id: '1', products: Array.from({ length: 201 }, () => ({ id: '1' })) },
      }),
    ],
    ['an unknown field', event({ adress: 1 })],
    ['an unknown field of the order', event({ type: 'purchase', order: { transaction_id: '1', tax: 1 } })],
    ['NUL', event({ title: 'a\0b' })],
    ['NUL in params', event({ params: { deep: [{ 'a\0': 1 }] } })],
    ['half a character', event({ title: '\ud800' })],
    ['half a character in a user', event({ type: 'user', user: { city: '\udc00' } })],
  ])('is invalid_event: %s', async (_what, given) => {
    expect(await drop(given)).toBe('invalid_event');
  });

  it('is invalid_event: a number beyond all bounds', async () => {
    const text = JSON.stringify(batch(site.tagKey, [event({ params: { a: 12_345 } })])).replace('12345', '1e999');
    expect((await collect(stage.api, text)).body.dropped).toEqual([{ index: 0, code: 'invalid_event' }]);
  });

  it('counts characters, not units: a title of 1,000 emoji is taken', async () => {
    expect(await drop(event({ title: '🙂'.repeat(1000) }))).toBeNull();
  });

  it('is too_large beyond 2 KB of params, and 4 KB of a user', async () => {
    const params = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(await drop(event({ params: params(2048) }))).toBeNull();
    expect(await drop(event({ params: params(2049) }))).toBe('too_large');
    expect(await drop(event({ params: { a: 'ж'.repeat(1100) } }))).toBe('too_large');
    expect(await drop(event({ type: 'user', user: { params: params(4096) } }))).toBeNull();
    expect(await drop(event({ type: 'user', user: { params: params(4097) } }))).toBe('too_large');
  });
});
