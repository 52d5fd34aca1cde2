/** Purchases and conversions in a browser that two users share, whatever requests and batches they arrive in. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { putGoal } from '../../../db/sites/goals.ts';
import type { CollectedEvent } from '../../../domain/collect/collected.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestIngest } from '../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../support/lake/lake.ts';
import { addSite, collect, event, HOUR, isIngested, request } from './support/inbox.ts';

let database: TestDatabase;
let testLake: TestLake;
const running: RunningProcess[] = [];
const MINUTE = 60_000;
const START = Date.now() - 3 * HOUR;

beforeAll(async () => {
  database = await createTestDatabase();
  testLake = await openTestLake(database.url);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await testLake?.close();
  await database.drop();
});

const login = (minute: number, userId: string): CollectedEvent =>
  event({ at: START + minute * MINUTE, type: 'user', user: { user_id: userId } });
const purchase = (minute: number, transactionId: string): CollectedEvent =>
  event({
    at: START + minute * MINUTE,
    type: 'purchase',
    order: { transaction_id: transactionId, revenue: 10, currency: null, products: null, promo_code: null },
  });

/** Ingests each list of events as a request, all in one batch. @returns users by transaction, and by conversion */
async function usersOf(...requests: CollectedEvent[][]): Promise<{ orders: unknown; conversions: unknown }> {
  const siteId = await addSite(database.pool);
  await putGoal(database.pool, siteId, {
    code: 'bought',
    title: 'Bought',
    type: 'purchase',
    match: null,
    value: null,
    enabled: true,
  });
  const visitorId = randomUUID();
  await collect(
    database.pool,
    requests.map((events) => request(siteId, events, { visitorId })),
  );
  running.push(await startTestIngest(database.url, testLake.settings));
  await eventually(() => isIngested(database.pool), 'the batch');
  const read = async (text: string): Promise<unknown> =>
    (await database.pool.query<{ users: unknown }>(text, [siteId])).rows[0]?.users;
  return {
    orders: await read('select json_object_agg(transaction_id, user_id) as users from site_orders where site_id = $1'),
    conversions: await read(
      `select json_object_agg(split_part(id, ':', 2), user_id) as users from site_conversions where site_id = $1`,
    ),
  };
}

describe('a purchase in a browser that two users share', () => {
  it.each([
    ['one request', (events: CollectedEvent[]) => [events]],
    ['a request for each event', (events: CollectedEvent[]) => events.map((one) => [one])],
  ])('belongs to the user who was signed in, if the events arrive in %s', async (_name, split) => {
    const bought = { A: 'u', B: 'v' };
    expect(await usersOf(...split([login(0, 'u'), purchase(1, 'A'), login(2, 'v'), purchase(3, 'B')]))).toEqual({
      orders: bought,
      conversions: bought,
    });
  });

  it('belongs to the first user if nobody was signed in yet', async () => {
    const bought = { A: 'u', B: 'u' };
    expect(await usersOf([purchase(0, 'A'), login(1, 'u'), purchase(2, 'B'), login(3, 'v')])).toEqual({
      orders: bought,
      conversions: bought,
    });
  });

  it('belongs to the user who signed in during an earlier visit', async () => {
    const bought = { A: 'v' };
    expect(await usersOf([login(0, 'u'), login(1, 'v'), purchase(50, 'A')])).toEqual({
      orders: bought,
      conversions: bought,
    });
  });

  it('belongs to the user who was signed in, if it arrives after the login of the next one', async () => {
    const bought = { A: 'v' };
    expect(await usersOf([login(0, 'u')], [login(50, 'v'), login(52, 'w')], [purchase(51, 'A')])).toEqual({
      orders: bought,
      conversions: bought,
    });
  });
});
