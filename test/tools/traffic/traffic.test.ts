import { describe, expect, it } from '@jest/globals';
import {
  collectBody,
  collectHeaders,
  createCounter,
  generateTraffic,
  TRAFFIC_GOALS,
  TRAFFIC_SITE,
  type TagBatch,
  type TrafficRecord,
} from '../../../tools/traffic/index.ts';
import { NETWORKS } from '../../../tools/traffic/people.ts';
import { PRODUCT_PAGES } from '../../../tools/traffic/shop/site.ts';
import { SOURCE_TYPES } from '../../../domain/sites/trafficSource.ts';
import { DEFAULT_ROBOT_RULES } from '../../../domain/sites/robotRules.ts';
import { createEnricher } from '../../../loops/ingest/enrich/index.ts';
import { classifySource } from '../../../loops/ingest/sources/classify.ts';
import { CollectEvent, CollectRequest } from '../../../domain/schemas/collectRequest.ts';
import { createValidators } from '../../../domain/schemas/validation.ts';

const UNTIL = Date.parse('2026-11-20T12:00:00Z');
const options = { seed: 1, days: 14, visitorsPerDay: 25, until: UNTIL, ...TRAFFIC_SITE };
const records = [...generateTraffic(options)];
const batches = records.filter((record): record is TagBatch => record.kind === 'collect');
const events = batches.flatMap((batch) => batch.events);

describe('generateTraffic', () => {
  it('is the same for the same seed, byte for byte, and different for another seed', () => {
    expect(JSON.stringify([...generateTraffic(options)])).toBe(JSON.stringify(records));
    expect(JSON.stringify([...generateTraffic({ ...options, seed: 2 })])).not.toBe(JSON.stringify(records));
  });

  it('is ordered by time, within its period', () => {
    expect(records.map(({ at }) => at)).toEqual(records.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(records.at(-1)?.at).toBeLessThan(UNTIL);
    const first = Math.min(...events.map(({ at }) => at));
    // Midnight in Moscow, 13 days before the last.
    expect(first).toBeGreaterThanOrEqual(Date.parse('2026-11-06T21:00:00Z'));
    expect(first).toBeLessThan(Date.parse('2026-11-07T21:00:00Z'));
  });

  it('is accepted by the intake: no fault in any batch, no id twice', () => {
    const compile = createValidators({ isMediaUrl: () => false });
    const [validateBatch, validateEvent] = [compile(CollectRequest), compile(CollectEvent)];
    for (const batch of batches) {
      const text = collectBody(batch, `as_${'a'.repeat(24)}`, UNTIL);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
      const body = JSON.parse(text) as { events: unknown[] };
      expect([validateBatch(body), body.events.flatMap((event) => validateEvent(event))]).toEqual([[], []]);
    }
    const ids = batches.flatMap(({ visitorId, events: own }) => own.map(({ id }) => `${visitorId} ${id}`));
    expect(new Set(ids).size).toBe(ids.length);
    expect(collectHeaders(batches[0] as TagBatch)).toMatchObject({
      'x-forwarded-for': batches[0]?.ip,
      'user-agent': batches[0]?.userAgent,
    });
  });

  it('has every kind of hit, goal and source', () => {
    const long = [...generateTraffic({ ...options, days: 90 })];
    const { hits, conversions, orders, refunds } = summaryOf(long);
    expect(Object.keys(hits).sort()).toEqual([
      'click',
      'download',
      'event',
      'form',
      'goal',
      'outbound',
      'pageview',
      'ping',
      'purchase',
      'scroll',
      'user',
    ]);
    expect(Object.keys(conversions).sort()).toEqual(TRAFFIC_GOALS.map(({ code }) => code).sort());
    expect(orders).toBeGreaterThan(0);
    expect(refunds).toBeGreaterThan(0);
    const views = long
      .flatMap((record) => (record.kind === 'collect' ? record.events : []))
      .filter(({ type }) => type === 'pageview');
    expect(new Set(views.map(sourceTypeOf))).toEqual(new Set(SOURCE_TYPES));
  });

  it('begins no visit within another: inside a visit only pages of the site follow each other', () => {
    const last = new Map<string, number>();
    const faults = batches.flatMap(({ visitorId, events: own }) =>
      own.filter((event) => {
        const isFirst = event.at - (last.get(visitorId) ?? -Infinity) > 30 * 60_000;
        last.set(visitorId, event.at);
        if (isFirst) return event.type !== 'pageview';
        return event.type === 'pageview' && !['internal', 'direct'].includes(sourceTypeOf(event));
      }),
    );
    expect(faults).toEqual([]);
  });

  it('favours pages by their rank, and evenings over nights', () => {
    const views = (path: string): number =>
      events.filter(({ type, url }) => type === 'pageview' && new URL(url).pathname === path).length;
    const counts = [0, 4, 40].map((rank) => views(PRODUCT_PAGES[rank]?.path ?? ''));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const ofHours = (from: number, to: number): number =>
      events.filter(({ at }) => {
        const hour = new Date(at + 3 * 3_600_000).getUTCHours();
        return hour >= from && hour < to;
      }).length;
    expect(ofHours(18, 22)).toBeGreaterThan(3 * ofHours(2, 6));
  });

  it('has known places and devices, and robots that are recognised', async () => {
    const enricher = await createEnricher({ cityDatabase: null, dataCentres: null });
    for (const [, { prefix, country }] of NETWORKS)
      for (const rest of ['1.1', '100.50', '254.254'])
        expect([prefix, enricher.place(`${prefix}.${rest}`).country]).toEqual([prefix, country]);
    const people = batches.filter(({ userAgent, ip }) => enricher.robotOf(userAgent, ip, DEFAULT_ROBOT_RULES) === null);
    expect(people.length).toBeLessThan(batches.length);
    expect(new Set(people.map(({ userAgent }) => enricher.client(userAgent).device_type))).toEqual(
      new Set(['desktop', 'mobile', 'tablet', 'tv']),
    );
    expect(people.filter(({ userAgent }) => enricher.client(userAgent).browser === null)).toEqual([]);
  });

  it('has people who return for another visit', () => {
    const { visits, visitors } = summaryOf(records);
    expect(visits).toBeGreaterThan(visitors * 1.2);
  });

  it('handles days of a zone with daylight saving time', () => {
    const autumn = { ...options, timezone: 'Europe/Berlin', days: 3, until: Date.parse('2026-10-26T12:00:00Z') };
    const at = [...generateTraffic(autumn)].map((record) => record.at);
    // 24 October begins at 22:00 UTC, 26 October, after the clocks went back, at 23:00.
    expect(Math.min(...at)).toBeGreaterThanOrEqual(Date.parse('2026-10-23T22:00:00Z'));
    expect(at.some((moment) => moment > Date.parse('2026-10-26T06:00:00Z'))).toBe(true);
  });
});

describe('createCounter', () => {
  const event = (id: string, at: number, more: object = {}) => ({
    id,
    at,
    type: 'pageview' as const,
    url: 'https://samovar.example/',
    ...more,
  });
  const batch = (visitorId: string, ...own: ReturnType<typeof event>[]): TrafficRecord => ({
    kind: 'collect',
    at: own.at(-1)?.at ?? 0,
    visitorId,
    ip: '95.24.1.1',
    userAgent: 'x',
    device: { screen: '', window: '', language: '', timezone: '' },
    events: own,
  });
  const order = { transaction_id: 'T1', revenue: 500, currency: 'RUB', products: [] };

  it('counts visits by the pause, orders once, and goals by their rules', () => {
    const minute = 60_000;
    const { visits, visitors, hits, conversions, orders, refunds, revenue } = summaryOf([
      batch(
        'a',
        event('1', 0),
        event('2', 30 * minute),
        event('3', 60 * minute + 1, { url: 'https://samovar.example/checkout' }),
      ),
      batch('b', event('1', 5), { ...event('2', 6, { order }), type: 'purchase' as never }),
      { kind: 'order', at: 7, record: { ...order, visitor_id: 'b', occurred_at: '', status: 'purchased' } },
      {
        kind: 'order',
        at: 8,
        record: { transaction_id: 'T1', currency: 'RUB', visitor_id: 'b', occurred_at: '', status: 'refunded' },
      },
      { kind: 'conversion', at: 9, record: { id: 'L', goal: 'lead', visitor_id: 'b', occurred_at: '' } },
    ]);
    expect({ visits, visitors, hits, conversions, orders, refunds, revenue }).toEqual({
      visits: 3,
      visitors: 2,
      hits: { pageview: 4, purchase: 1 },
      conversions: { checkout: 1, order: 1, lead: 1 },
      orders: 1,
      refunds: 1,
      revenue: 500,
    });
  });

  it('reports what exceeds the limit of one visitor', () => {
    const many = Array.from({ length: 1_010 }, (_, index) => event(String(index), index * 1000));
    expect(summaryOf([batch('a', ...many)])).toMatchObject({
      events: 1_010,
      surplus: 10,
      hits: { pageview: 1_000 },
      visits: 1,
    });
  });
});

function sourceTypeOf({ url, referrer }: { url: string; referrer?: string }): string {
  return classifySource({ url, referrer: referrer ?? null, hosts: ['samovar.example'], ignoredReferrers: [] })
    .source_type;
}

function summaryOf(all: Iterable<TrafficRecord>): ReturnType<ReturnType<typeof createCounter>['summary']> {
  const counter = createCounter();
  for (const record of all) counter.add(record);
  return counter.summary();
}
