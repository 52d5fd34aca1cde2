import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { Queryable } from '../../../db/pool.ts';
import { SiteRulesCache } from '../../../loops/ingest/siteRulesCache.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSite } from './support/inbox.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database?.drop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

it('settings that change while they are read are read again for the next batch', async () => {
  const siteId = await addSite(database.pool);
  const [read, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pool = Object.assign(Object.create(database.pool) as Queryable, {
    query: async (statement: string, values?: unknown[]) => {
      const result = await database.pool.query(statement, values);
      read.resolve();
      await answer.promise;
      return result;
    },
  });
  const cache = new SiteRulesCache(pool, () => undefined);
  const before = cache.rulesOf([siteId]);
  await read.promise;
  await database.pool.query(`update sites set quotas = '{"hits_per_day": 7}' where id = $1`, [siteId]);
  cache.invalidate();
  answer.resolve();
  await before;
  expect((await cache.rulesOf([siteId])).get(siteId)?.hitsPerDay).toBe(7);
});

it('a site whose rules expire while others are read is not left out', async () => {
  const [known, other] = [await addSite(database.pool), await addSite(database.pool)];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holds = [Promise.resolve(), first.promise, second.promise].values();
  const pool = Object.assign(Object.create(database.pool) as Queryable, {
    query: async (statement: string, values?: unknown[]) => {
      const result = await database.pool.query(statement, values);
      await holds.next().value;
      return result;
    },
  });
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const cache = new SiteRulesCache(pool, () => undefined);
  await cache.rulesOf([known]);
  now = 4_999;
  const both = cache.rulesOf([known, other]);
  now = 5_001;
  const again = cache.rulesOf([known]);
  first.resolve();
  expect([...(await both).keys()].toSorted()).toEqual([known, other].toSorted());
  second.resolve();
  expect([...(await again).keys()]).toEqual([known]);
});
