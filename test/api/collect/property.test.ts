/** Any input gets a documented answer, and the counts of accepted events add up. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COLLECT_TYPES } from '../../../domain/collect/collected.ts';
import { batch, collect, createTestSite, event, readInbox, type TestSite } from './support/site.ts';
import { stageApi } from '../support/stageApi.ts';
import { anyText } from '../../support/anyText.ts';

const stage = stageApi();
let site: TestSite;

beforeAll(async () => {
  site = await createTestSite(stage.database.pool);
});

const fields = [
  'id',
  'at',
  'type',
  'url',
  'referrer',
  'title',
  'name',
  'target',
  'depth',
  'x',
  'y',
  'selector',
  'params',
  'order',
  'user',
  'more',
];
const anything = fc.oneof(
  fc.jsonValue(),
  anyText({ maxLength: 60 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, '', 0, [], {}, '\0', '\ud800', 'https://a.test/'),
  fc.record(
    {
      transaction_id: fc.string(),
      revenue: fc.double({ noNaN: true }),
      products: fc.array(fc.dictionary(fc.constantFrom('id', 'name', 'price', 'qty', 'x'), fc.jsonValue())),
    },
    { requiredKeys: [] },
  ),
);
const events = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...COLLECT_TYPES), fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 3 }))
      .map(([type, change]) => event({ type, ...change })),
    anything,
  ),
  { maxLength: 8 },
);
const envelope = fc.dictionary(fc.constantFrom('visitor_id', 'sent_at', 'device', 'more'), anything, { maxKeys: 1 });

describe('any batch', () => {
  it('with a known key is accepted event by event, or refused with a code, without an internal error', async () => {
    let stored = 0;
    await fc.assert(
      fc.asyncProperty(events, fc.option(envelope, { freq: 3 }), async (given, change) => {
        const answer = await collect(stage.api, batch(site.tagKey, given, change ?? {}));
        expect([202, 422]).toContain(answer.status);
        if (answer.status !== 202) return;
        const { accepted, dropped } = answer.body as { accepted: number; dropped: { index: number }[] };
        expect(accepted + dropped.length).toBe(given.length);
        const places = dropped.map(({ index }) => index);
        expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b));
        stored += accepted;
      }),
      { numRuns: 300 },
    );
    const rows = await readInbox(stage.database.pool, site.id);
    expect(rows.reduce((sum, row) => sum + row.batch.events.length, 0)).toBe(stored);
    expect(stored).toBeGreaterThan(0);
  });

  it('of any bytes is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        async (bytes) => {
          expect([400, 401, 422]).toContain(
            (await collect(stage.api, bytes, { headers: { 'content-type': 'text/plain' } })).status,
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
