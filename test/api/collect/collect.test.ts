import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { updateSite } from '../../../db/sites/sites.ts';
import { collectedKey } from '../../../domain/collect/collectedKey.ts';
import { COLLECT_TYPES } from '../../../domain/collect/collected.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import { eventually } from '../../support/eventually.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, startTestApi, type Answer } from '../support/testApi.ts';
import { batch, collect, createTestSite, event, readInbox, type InboxRow, type TestSite } from './support/site.ts';

const stage = stageApi({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
let site: TestSite;

const HOUR_MS = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const post = (...events: unknown[]): Promise<Answer> => collect(stage.api, batch(site.tagKey, events));

async function stored(): Promise<InboxRow> {
  const rows = await readInbox(stage.database.pool, site.id);
  expect(rows).toHaveLength(1);
  return rows[0] as InboxRow;
}

beforeEach(async () => {
  site = await createTestSite(stage.database.pool);
});

describe('POST /collect', () => {
  // proves: collect/device, collect/user-agent, collect/visitor, collect-event/x-y-selector, collect-event/order
  // proves: decisions-intake/behind
  it('stores a batch with all its details, and makes the visitor known', async () => {
    const visitorId = randomUUID();
    const at = ago(5_000);
    const full = event({
      id: 'full',
      at,
      type: 'purchase',
      url: 'https://shop.test/cart?x=1#y',
      referrer: 'https://search.test/?q=1',
      title: 'Корзина',
      name: 'n',
      target: 't',
      depth: 49.6,
      x: 10.4,
      y: -3.2,
      selector: '#buy',
      element_x: 0.25,
      element_y: 1,
      viewport_width: 389.6,
      document_height: 5000,
      params: { a: [1, { b: 'ж' }] },
      order: {
        transaction_id: 'o-1',
        revenue: 1990.5,
        currency: 'rub',
        products: [{ id: 'p', price: 1990.5, qty: 1 }],
        promo_code: 'NEW',
      },
    });
    const sent = batch(site.tagKey, [full], {
      visitor_id: visitorId.toUpperCase(),
      device: { screen: '1920x1080', language: 'ru-RU', window: '' },
    });
    const started = Date.now();
    const answer = await collect(stage.api, sent, {
      headers: { 'user-agent': 'Browser/1', 'x-forwarded-for': '203.0.113.9' },
    });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1, dropped: [] } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const row = await stored();
    expect(row).toMatchObject({ shard: shardOf(site.id), visitorId, ip: '203.0.113.9', userAgent: 'Browser/1' });
    expect(row.receivedAt.getTime()).toBeGreaterThanOrEqual(started);
    expect(row.batch).toEqual({
      device: { screen: '1920x1080', window: null, language: 'ru-RU', timezone: null },
      events: [
        {
          key: collectedKey(visitorId, 'full'),
          at: expect.any(Number),
          type: 'purchase',
          url: 'https://shop.test/cart?x=1#y',
          referrer: 'https://search.test/?q=1',
          title: 'Корзина',
          name: 'n',
          target: 't',
          depth: 50,
          x: 10,
          y: -3,
          selector: '#buy',
          layout: {
            element_x: 0.25,
            element_y: 1,
            viewport_width: 390,
            viewport_height: null,
            document_width: null,
            document_height: 5000,
          },
          params: { a: [1, { b: 'ж' }] },
          user: null,
          order: {
            transaction_id: 'o-1',
            revenue: 1990.5,
            currency: 'RUB',
            promo_code: 'NEW',
            products: [{ id: 'p', name: null, category: null, brand: null, variant: null, price: 1990.5, qty: 1 }],
          },
        },
      ],
    });
    const { rows } = await stage.database.pool.query(
      'select visitor_id, visits, first_visit_at from site_visitors where site_id = $1',
      [site.id],
    );
    expect(rows).toEqual([{ visitor_id: visitorId, visits: 0, first_visit_at: null }]);
  });

  // proves: collect/content-type, collect-event/type, collect-event/name, collect-event/target
  it('accepts every type with its required fields, and text/plain as JSON', async () => {
    const needs: Record<string, object> = {
      event: { name: 'video' },
      goal: { name: 'callback' },
      purchase: { order: { transaction_id: '1' } },
      refund: { order: { transaction_id: '1' } },
      user: { user: { user_id: 'u' } },
      outbound: { target: 'https://other.test/' },
      download: { target: 'price.pdf' },
      scroll: { depth: 0 },
    };
    const types = ['pageview', 'click', 'form', 'ping', ...Object.keys(needs)];
    expect(types.toSorted()).toEqual(COLLECT_TYPES.toSorted());
    const events = types.map((type) => event({ type, ...needs[type] }));
    const answer = await collect(stage.api, JSON.stringify(batch(site.tagKey, events)), {
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
    });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 12, dropped: [] } });
    expect((await stored()).batch.events.map(({ type }) => type)).toEqual(types);
  });

  // proves: collect/50-events
  it('accepts zero and fifty events', async () => {
    expect((await post()).body).toEqual({ accepted: 0, dropped: [] });
    expect(await readInbox(stage.database.pool, site.id)).toEqual([]);
    expect((await post(...Array.from({ length: 50 }, () => event()))).body).toEqual({ accepted: 50, dropped: [] });
  });

  // proves: decisions-facts/tag-products
  it('treats null for optional fields as absent, and stores no empty text', async () => {
    const absent = { name: null, category: null, brand: null, variant: null, price: null, qty: null };
    const order = { transaction_id: '1', revenue: null, products: [{ id: 'p', ...absent, sku: 'A-1' }] };
    await post(
      event({ referrer: '', title: null, name: '', params: null, order: null, user: null, x: null, depth: null }),
      event({ type: 'purchase', order }),
    );
    const [view, purchase] = (await stored()).batch.events;
    expect(purchase?.order).toMatchObject({ revenue: null, products: [{ id: 'p', ...absent }] });
    expect(purchase?.order?.products?.[0]).not.toHaveProperty('sku');
    expect(view).toMatchObject({
      referrer: null,
      title: null,
      name: null,
      params: null,
      order: null,
      user: null,
      x: null,
      depth: null,
    });
  });

  // proves: collect-event/user
  it('stores no e-mail and no phone, and drops no event because of a wrong user', async () => {
    const user = {
      user_id: 'u-1',
      email: 'Somebody@Example.com',
      phone: '+7 999 123-45-67',
      age: 'old',
      gender: 'male',
      params: 'none',
    };
    expect((await post(event({ type: 'user', user }))).body).toEqual({ accepted: 1, dropped: [] });
    const {
      batch: {
        events: [taken],
      },
    } = await stored();
    expect(taken?.user).toEqual({
      user_id: 'u-1',
      email_hash: expect.any(String),
      phone_hash: expect.any(String),
      gender: 'male',
    });
    expect(JSON.stringify(await readInbox(stage.database.pool, site.id))).not.toMatch(/somebody|9991234567|999 123/i);
  });

  it('logs the site of refused requests only, and never anything from the body', async () => {
    await post(event({ title: 'a very private title' }));
    expect(stage.api.log.find((line) => line['siteId'] === site.id)).toBeUndefined();
    await collect(
      stage.api,
      batch(site.tagKey, [event({ title: 'a very private title' })], { visitor_id: 'somebody' }),
    );
    const line = await eventually(
      () => stage.api.log.find(({ siteId }) => siteId === site.id),
      'the line of the refused batch',
    );
    expect(line).toMatchObject({ route: '/collect', status: 422, method: 'POST' });
    expect(JSON.stringify(stage.api.log)).not.toMatch(/private title|somebody|as_/);
  });

  // proves: collect-event/counted
  it('counts events by outcome', async () => {
    const read = async (outcome: string): Promise<number> => {
      const found = (await stage.api.registry.getMetricsAsJSON()).find(
        ({ name }) => name === 'attune_collect_events_total',
      );
      return Number(found?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0);
    };
    const before = [await read('accepted'), await read('invalid_event')];
    await post(event(), event(), event({ type: 'nothing' }));
    expect([await read('accepted'), await read('invalid_event')]).toEqual([(before[0] ?? 0) + 2, (before[1] ?? 0) + 1]);
    const names = (await stage.api.registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'attune_collect_group_requests',
        'attune_collect_write_duration_seconds',
        'attune_collect_waiting',
      ]),
    );
  });
});

describe('the time of an event', () => {
  const atOf = async (): Promise<number> => (await stored()).batch.events[0]?.at ?? Number.NaN;
  const sentIn = (ms: number, at: number, now = Date.now()): Promise<Answer> =>
    collect(
      stage.api,
      batch(site.tagKey, [event({ at: new Date(now + at).toISOString() })], {
        sent_at: new Date(now + ms).toISOString(),
      }),
    );

  it.each([
    // proves: collect/sent_at
    ['ahead', 90 * 24 * HOUR_MS],
    // proves: collect/sent_at
    ['behind', -400 * 24 * HOUR_MS],
  ])('follows our clock when the device is far %s', async (_what, error) => {
    expect((await sentIn(error, error - 60_000)).body.accepted).toBe(1);
    const { receivedAt } = await stored();
    expect(await atOf()).toBe(receivedAt.getTime() - 60_000);
  });

  // proves: collect-event/at
  it('is never later than the receipt', async () => {
    await sentIn(0, HOUR_MS);
    expect(await atOf()).toBe((await stored()).receivedAt.getTime());
  });

  // proves: tag-limits/late-events, collect-event/too_old
  it('may be at most 24 hours ago by our clock', async () => {
    expect((await sentIn(0, -24 * HOUR_MS + 60_000)).body).toEqual({ accepted: 1, dropped: [] });
    expect((await sentIn(0, -24 * HOUR_MS - 60_000)).body).toEqual({
      accepted: 0,
      dropped: [{ index: 0, code: 'too_old' }],
    });
    expect((await sentIn(-48 * HOUR_MS, -48 * HOUR_MS - HOUR_MS)).body.accepted).toBe(1);
    expect((await sentIn(48 * HOUR_MS, 0)).body.dropped[0].code).toBe('too_old');
  });

  // proves: collect-event/too_old
  it('may be as long ago as LATE_EVENT_HOURS allows', async () => {
    const history = await startTestApi({ databaseUrl: stage.database.url, env: { LATE_EVENT_HOURS: '2400' } });
    const { body } = await collect(
      history,
      batch(site.tagKey, [event({ at: ago(99 * 24 * HOUR_MS) }), event({ at: ago(101 * 24 * HOUR_MS) })]),
    );
    await history.close();
    expect(body).toEqual({ accepted: 1, dropped: [{ index: 1, code: 'too_old' }] });
  });
});

describe('a repeat', () => {
  // proves: collect-event/id
  it('of an id is a duplicate for its visitor, whatever else it contains, and new for another visitor', async () => {
    const visitor = { visitor_id: randomUUID() };
    const again = event({ id: 'same' });
    expect((await collect(stage.api, batch(site.tagKey, [again], visitor))).body.accepted).toBe(1);
    expect(
      (
        await collect(
          stage.api,
          batch(site.tagKey, [event({ id: 'same', type: 'ping' })], { visitor_id: visitor.visitor_id.toUpperCase() }),
        )
      ).body,
    ).toEqual({ accepted: 0, dropped: [{ index: 0, code: 'duplicate' }] });
    expect((await collect(stage.api, batch(site.tagKey, [again]))).body.accepted).toBe(1);
    const other = await createTestSite(stage.database.pool);
    expect((await collect(stage.api, batch(other.tagKey, [again], visitor))).body.accepted).toBe(1);
    expect(await readInbox(stage.database.pool, site.id)).toHaveLength(2);
  });

  // proves: collect-event/duplicate
  it('of a batch is dropped, but new events in it are accepted', async () => {
    const sent = batch(site.tagKey, [event(), event(), event()]);
    await collect(stage.api, sent);
    const more = { ...sent, events: [...(sent['events'] as unknown[]), event({ id: 'new' })] };
    expect((await collect(stage.api, more)).body).toEqual({
      accepted: 1,
      dropped: [0, 1, 2].map((index) => ({ index, code: 'duplicate' })),
    });
    const rows = await readInbox(stage.database.pool, site.id);
    expect(rows.map(({ batch: { events } }) => events.length)).toEqual([3, 1]);
  });

  // proves: collect-event/id
  it('is accepted as new after 24 hours: trackers may reuse their ids', async () => {
    const sent = batch(site.tagKey);
    await collect(stage.api, sent);
    const seen = (age: string) =>
      stage.database.pool.query('update collected_events set seen_at = now() - $2::interval where site_id = $1', [
        site.id,
        age,
      ]);
    await seen('23:59:00');
    expect((await collect(stage.api, sent)).body.accepted).toBe(0);
    await seen('24:00:01');
    expect((await collect(stage.api, sent)).body.accepted).toBe(1);
    expect((await collect(stage.api, sent)).body.accepted).toBe(0);
  });

  it('sent many times at once is stored once', async () => {
    const sent = batch(
      site.tagKey,
      Array.from({ length: 10 }, () => event()),
    );
    const answers = await Promise.all(Array.from({ length: 30 }, () => collect(stage.api, sent)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 202));
    expect(answers.reduce((sum, { body }) => sum + body.accepted, 0)).toBe(10);
    expect((await readInbox(stage.database.pool, site.id)).flatMap(({ batch: { events } }) => events)).toHaveLength(10);
  });

  // proves: collect-event/duplicate
  it('sent to two processes at once, in different orders, is stored once', async () => {
    const other = await startTestApi({ databaseUrl: stage.database.url });
    const visitor = { visitor_id: randomUUID() };
    const events = Array.from({ length: 40 }, () => event());
    const sent = Array.from({ length: 20 }, (_batch, index) =>
      batch(site.tagKey, index % 2 === 0 ? events : events.toReversed(), visitor),
    );
    const answers = await Promise.all(sent.map((body, index) => collect(index % 3 === 0 ? other : stage.api, body)));
    await other.close();
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    expect(answers.reduce((sum, { body }) => sum + body.accepted, 0)).toBe(40);
  });
});

describe('the examples', () => {
  it.each([
    // proves: collect/described
    'docs/collect.md',
    'the description',
  ])('of %s are accepted while they are fresh', async (where) => {
    const example =
      where === 'the description'
        ? (await clientOf(stage.api.origin, null)('GET', '/collect/openapi.json')).body.paths['/collect'].post
            .requestBody.content['application/json'].example
        : JSON.parse(
            /<<'JSON'\n([^]*?)\nJSON\n/.exec(
              await readFile(join(import.meta.dirname, '../../../docs/collect.md'), 'utf8'),
            )?.[1] ?? '',
          );
    const { events, sent_at: sentAt } = example as { events: object[]; sent_at: string };
    expect((await collect(stage.api, { ...example, key: site.tagKey })).body).toEqual({ accepted: 2, dropped: [] });
    const late = new Date(Date.parse(sentAt) + 25 * HOUR_MS).toISOString();
    expect((await collect(stage.api, { ...example, key: site.tagKey, sent_at: late })).body.dropped).toEqual(
      events.map((_, index) => ({ index, code: 'too_old' })),
    );
  });
});

describe('the hosts of a site', () => {
  it('take effect without a restart when they change in the settings', async () => {
    expect((await post(event())).status).toBe(202);
    await updateSite(stage.database.pool, site.id, { hosts: ['other.test'] });
    let status = 202;
    while (status === 202) ({ status } = await post(event()));
    expect(status).toBe(403);
  });
});
