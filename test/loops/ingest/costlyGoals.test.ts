/** Goals with expensive patterns: other sites do not bear the cost. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { putGoal } from '../../../db/sites/goals.ts';
import type { CollectedRequest } from '../../../db/collect/storeCollected.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import type { Goal } from '../../../domain/sites/goalDefinition.ts';
import { shardOf } from '../../../domain/collect/shards.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { addSite, collect, event, isIngested, request } from './support/inbox.ts';

let database: TestDatabase;
let testLake: TestLake;
let running: RunningProcess | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  testLake = await openTestLake(database.url);
});
afterEach(async () => {
  await running?.close();
  running = null;
});
afterAll(async () => {
  await testLake?.close();
  await database.drop();
});

async function ingest(): Promise<Registry> {
  const registry = new Registry();
  running = await startTestIngest(database.url, testLake.settings, { registry });
  return registry;
}

async function valueOf(registry: Registry, name: string): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  return (metric?.values ?? []).reduce((sum, { value }) => sum + value, 0);
}

const urlGoal = (code: string, value: string): Goal => ({
  code,
  title: code,
  type: 'url',
  match: { op: 'regex', value },
  value: null,
  enabled: true,
});

/** Stores goals without the common limit on a site's patterns, as earlier releases did. */
async function addGoals(siteId: string, goals: readonly Goal[]): Promise<void> {
  for (const goal of goals) await putGoal(database.pool, siteId, goal);
}

/** Creates sites of one shard: whatever delays one would delay the others. */
async function neighbours(count: number): Promise<string[]> {
  const sites = [await addSite(database.pool)];
  while (sites.length < count) {
    const id = newTenantId();
    if (shardOf(id) === shardOf(sites[0] ?? '')) sites.push(await addSite(database.pool, id));
  }
  return sites;
}

/** Their patterns take minutes for one request. */
const hostileGoals = (): Goal[] =>
  Array.from({ length: 200 }, (_, index) => urlGoal(`g${index}`, `.{0,145}[!-"]{1,${(index % 3) + 1}}`));
const attack = (siteId: string): CollectedRequest =>
  request(
    siteId,
    Array.from({ length: 30 }, () => event({ url: longAddress() })),
  );

const longAddress = (): string => `https://shop.example/${randomUUID().repeat(60).slice(0, 2_000)}`;
const conversionsOf = async (siteId: string): Promise<number> =>
  (
    await database.pool.query<{ count: number }>(
      'select count(*)::int as count from site_conversions where site_id = $1',
      [siteId],
    )
  ).rows[0]?.count ?? 0;

describe.each([1, 10])('two hundred url goals whose patterns take minutes per request, of %i sites', (count) => {
  it('delay no other site, lose no hit and set no request aside', async () => {
    const [other = '', ...hostile] = await neighbours(1 + count);
    for (const siteId of hostile) await addGoals(siteId, hostileGoals());
    await addGoals(other, [urlGoal('thanks', '/thanks$')]);
    const registry = await ingest();
    await collect(database.pool, hostile.map(attack));
    await collect(database.pool, [request(other, [event({ url: 'https://shop.example/thanks' })])]);
    await eventually(() => isIngested(database.pool), 'all requests ingested');
    expect(await conversionsOf(other)).toBe(1);
    const { rows } = await database.pool.query('select 1 from collect_failed');
    expect(rows).toEqual([]);
    expect(await valueOf(registry, 'attune_ingest_failures_total')).toBe(0);
    expect(await valueOf(registry, 'attune_ingest_goals_skipped_total')).toBeGreaterThan(0);
    expect(await valueOf(registry, 'attune_ingest_events_total')).toBe(30 * count + 1);
  });
});

describe('a goal with an ordinary pattern', () => {
  it('is never skipped, however many page views come at once', async () => {
    const siteId = await addSite(database.pool);
    const goals = Array.from({ length: 100 }, (_, index) =>
      urlGoal(`g${index}`, `^https?://[a-z.]+/p${index}/(a|b)/?$`),
    );
    await addGoals(siteId, goals);
    await collect(
      database.pool,
      Array.from({ length: 40 }, () =>
        request(
          siteId,
          Array.from({ length: 50 }, (_, index) => event({ url: `https://shop.example/p${index}/a` })),
        ),
      ),
    );
    const registry = await ingest();
    await eventually(() => isIngested(database.pool), 'all requests ingested');
    expect(await valueOf(registry, 'attune_ingest_goals_skipped_total')).toBe(0);
    expect(await conversionsOf(siteId)).toBe(2_000);
  });
});

describe('a request that always ends the database session of its lane', () => {
  it('is set aside once it has done so several times in a batch of its own, and the others are ingested', async () => {
    const siteId = await addSite(database.pool);
    const fatal = randomUUID();
    await database.pool.query(
      `create function lost() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return new; end $$`,
    );
    await database.pool.query(
      `create trigger lost before insert on site_visits for each row when (new.visitor_id = '${fatal}') execute function lost()`,
    );
    await collect(database.pool, [
      ...Array.from({ length: 3 }, () => request(siteId, [event()])),
      request(siteId, [event()], { visitorId: fatal }),
      ...Array.from({ length: 3 }, () => request(siteId, [event()])),
    ]);
    await ingest();
    await eventually(() => isIngested(database.pool), 'the inbox empty');
    const aside = await database.pool.query('select visitor_id, error from collect_failed');
    expect(aside.rows).toEqual([{ visitor_id: fatal, error: 'session lost' }]);
    const visits = await database.pool.query('select 1 from site_visits where site_id = $1', [siteId]);
    expect(visits.rowCount).toBe(6);
    await database.pool.query('drop trigger lost on site_visits');
  });
});
