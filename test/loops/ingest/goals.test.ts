/** Goals of visits: each conversion is stored once, whoever reports it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { putGoal } from '../../../db/sites/goals.ts';
import { takeConversions } from '../../../db/siteFacts/takeServerFacts.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { addSite, collect, event, HOUR, isInLake, request } from './support/inbox.ts';

let database: TestDatabase;
let testLake: TestLake;
let ingest: RunningProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  testLake = await openTestLake(database.url);
  ingest = await startTestIngest(database.url, testLake.settings, { loops: 2 });
});
afterAll(async () => {
  await ingest?.close();
  await testLake?.close();
  await database?.drop();
});

const inLake = () => eventually(() => isInLake(database.pool), 'everything in the lake');

describe('the ingest', () => {
  it('counts the goals from a site’s server in their visits, including those already in the lake', async () => {
    const siteId = await addSite(database.pool);
    await putGoal(database.pool, siteId, {
      code: 'sale',
      title: 'Sale',
      type: 'js',
      match: null,
      value: null,
      enabled: true,
    });
    const at = Date.now() - 3 * HOUR;
    const [told, untold] = [request(siteId, [event({ at })]), request(siteId, [event({ at })])];
    await collect(database.pool, [told, untold]);
    await inLake();
    const visits = () =>
      testLake.lake.query(
        `select visitor_id::varchar = '${told.visitorId}' as told, goals, is_bounce from lake.visits where site_id = '${siteId}' order by told`,
      );
    expect(await visits()).toEqual([
      { told: false, goals: 0, is_bounce: true },
      { told: true, goals: 0, is_bounce: true },
    ]);
    const sale = (id: string) => ({
      id,
      goal: 'sale',
      value: null,
      visitorId: told.visitorId,
      userId: null,
      occurredAt: new Date(at + HOUR),
    });
    const outcome = await takeConversions(database.pool, { siteId, receivedAt: new Date() }, [sale('1'), sale('2')]);
    expect(outcome).toMatchObject({ accepted: 2 });
    await inLake();
    expect(await visits()).toEqual([
      { told: false, goals: 0, is_bounce: true },
      { told: true, goals: 2, is_bounce: false },
    ]);
  });

  it('counts a purchase as a goal once, in the visit of the first report', async () => {
    const siteId = await addSite(database.pool);
    await putGoal(database.pool, siteId, {
      code: 'bought',
      title: 'Bought',
      type: 'purchase',
      match: null,
      value: null,
      enabled: true,
    });
    const order = { transaction_id: 'T-2', revenue: 10, currency: null, products: null, promo_code: null };
    const start = Date.now() - 10 * HOUR;
    const bought = (at: number) => event({ at, type: 'purchase', order });
    const visitorId = randomUUID();
    await collect(database.pool, [
      request(siteId, [bought(start), bought(start + 1)], { visitorId }),
      request(siteId, [event({ at: start + 5 * HOUR }), bought(start + 5 * HOUR + 1)], { visitorId }),
    ]);
    await inLake();
    expect(
      await testLake.lake.query(
        `select goals, is_bounce from lake.visits where site_id = '${siteId}' order by started_at`,
      ),
    ).toEqual([
      { goals: 1, is_bounce: false },
      { goals: 0, is_bounce: true },
    ]);
    expect(
      await testLake.lake.query(`select count(*)::int as count from lake.conversions where site_id = '${siteId}'`),
    ).toEqual([{ count: 1 }]);
  });
});
