import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimDeliveries } from '../../../../db/webhooks/deliveries/claims.ts';
import { listDeliveries, readDelivery, type JournalFilter } from '../../../../db/webhooks/deliveries/journal.ts';
import { recordSettlements } from '../../../../db/webhooks/deliveries/outcomes.ts';
import { listOverdueRetries } from '../../../../db/webhooks/deliveries/retries.ts';
import { deleteOldDeliveries, purgeDeletedWebhooks } from '../../../../db/webhooks/deliveries/deleteDeliveries.ts';
import { resendDelivery } from '../../../../db/webhooks/deliveries/testsAndResends.ts';
import { deleteWebhook, findWebhook, listWebhooks } from '../../../../db/webhooks/webhooks.ts';
import { requestBody } from '../../../../domain/webhooks/webhookRequest.ts';
import type { AttemptOutcome } from '../../../../domain/webhooks/deliveryStates.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  addProject,
  addWebhook,
  numberDeliveries,
  recordEvent,
  testItem,
  type TestWebhook,
} from '../../../support/webhooks/webhooks.ts';

const STARTED_AT = new Date('2026-11-21T10:00:00.123Z');
const DELIVERED: AttemptOutcome = {
  startedAt: STARTED_AT,
  durationMs: 12,
  responseStatus: 200,
  errorCode: null,
  error: null,
};
const FAILED: AttemptOutcome = {
  startedAt: STARTED_AT,
  durationMs: 10_000,
  responseStatus: null,
  errorCode: 'timeout',
  error: 'no complete answer in time',
};

let database: TestDatabase;
let webhook: TestWebhook;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Adds five deliveries for items a–e: a delivered, b failed, c dropped, d awaiting a retry, e waiting. */
beforeEach(async () => {
  await database.pool.query('delete from webhooks');
  webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
  for (const item of ['a', 'b', 'c', 'd', 'e'])
    await recordEvent(database.pool, webhook.projectId, item, item === 'b' ? 'item.failed' : 'item.processed');
  await numberDeliveries(database.pool, webhook.projectId);
  const {
    deliveries: [a, b, c, d],
  } = await claimDeliveries(database.pool, { batch: 4, perWebhook: 32, urgentPerWebhook: 12, leaseMs: 30_000 });
  if (!a || !b || !c || !d) throw new Error('four deliveries should be waiting');
  const counted = await recordSettlements(database.pool, [
    { claim: a, outcome: DELIVERED, retryInMs: null },
    { claim: b, outcome: FAILED, retryInMs: null },
    { claim: c, dropped: 'webhook' },
    { claim: d, outcome: FAILED, retryInMs: 60_000 },
  ]);
  expect(counted).toEqual([true, true, true, true]);
});

async function list(filter: JournalFilter = {}, limit = 100): Promise<string> {
  const entries = await listDeliveries(database.pool, webhook.projectId, webhook.webhookId, filter, limit);
  return entries.map((entry) => entry.itemId).join('');
}

describe('listDeliveries', () => {
  // proves: decisions-cabinet-calls/deliveries
  it.each<[JournalFilter, string]>([
    [{}, 'edcba'],
    [{ status: 'delivered' }, 'a'],
    [{ status: 'failed' }, 'b'],
    [{ status: 'dropped' }, 'c'],
    [{ status: 'pending' }, 'ed'],
    [{ event: 'item.failed' }, 'b'],
    [{ event: 'webhook.test' }, ''],
    [{ itemId: 'c' }, 'c'],
    [{ itemId: 'c', status: 'failed' }, ''],
    [{ since: new Date('2100-01-01') }, ''],
    [{ until: new Date('2100-01-01') }, 'edcba'],
    [{ until: new Date('2000-01-01') }, ''],
  ])('with %j returns %s', async (filter, items) => expect(await list(filter)).toBe(items));

  it('pages through entries of the same moment without missing or repeating one', async () => {
    await database.pool.query(`update deliveries set created_at = '2026-11-21T10:00:00.123456Z'`);
    const seen: string[] = [];
    let filter: JournalFilter = {};
    for (;;) {
      const page = await listDeliveries(database.pool, webhook.projectId, webhook.webhookId, filter, 2);
      seen.push(...page.map((entry) => entry.itemId));
      const last = page.at(-1);
      if (!last) break;
      filter = { before: last.position };
    }
    expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('does not show another project’s deliveries', async () => {
    const other = await addProject(database.pool);
    expect(await listDeliveries(database.pool, other, webhook.webhookId, {}, 10)).toEqual([]);
  });
});

describe('readDelivery', () => {
  // proves: webhook-retries/secret-rotation
  it('returns the attempts and the body that was sent', async () => {
    const [entry] = await listDeliveries(database.pool, webhook.projectId, webhook.webhookId, { itemId: 'd' }, 1);
    const detail = await readDelivery(database.pool, webhook.projectId, webhook.webhookId, entry?.deliveryId ?? '');
    expect(detail).toMatchObject({
      status: 'pending',
      attempt: 1,
      errorCode: 'timeout',
      responseStatus: null,
      error: 'no complete answer in time',
      attempts: [{ attempt: 1, startedAt: STARTED_AT, durationMs: 10_000, responseStatus: null, errorCode: 'timeout' }],
    });
    expect(detail?.nextAttemptAt?.getTime()).toBe((detail?.updatedAt.getTime() ?? 0) + 60_000);
    const content = {
      projectId: webhook.projectId,
      deliveryId: entry?.deliveryId ?? '',
      event: 'item.processed' as const,
      item: testItem('d'),
    };
    expect(detail?.requestBody).toBe(requestBody(content, STARTED_AT));
  });

  // proves: webhooks/6
  it('says when a first attempt that is held will be made', async () => {
    const heldBack = (until: string) =>
      database.pool.query(
        `update webhooks set held_until = now() + $2::interval where project_id = $1 returning held_until`,
        [webhook.projectId, until],
      ) as Promise<{ rows: { held_until: Date }[] }>;
    const read = async (itemId: string) =>
      (await listDeliveries(database.pool, webhook.projectId, webhook.webhookId, { itemId }, 1))[0];
    const retriedAt = (await read('d'))?.nextAttemptAt;
    const { rows } = await heldBack('1 hour');
    const held = await read('e');
    expect(held?.nextAttemptAt).toEqual(rows[0]?.held_until);
    const detail = await readDelivery(database.pool, webhook.projectId, webhook.webhookId, held?.deliveryId ?? '');
    expect(detail?.nextAttemptAt).toEqual(rows[0]?.held_until);
    // The others keep their own due time, or none.
    expect((await read('d'))?.nextAttemptAt).toEqual(retriedAt);
    expect((await read('a'))?.nextAttemptAt).toBeNull();
    await heldBack('-1 second');
    expect((await read('e'))?.nextAttemptAt).toBeNull();
  });

  it('has no body before the first attempt', async () => {
    expect(await listDeliveries(database.pool, webhook.projectId, webhook.webhookId, { itemId: 'e' }, 1)).toMatchObject(
      [{ attempt: 0, requestBody: null }],
    );
  });
});

describe('recordSettlements', () => {
  it('counts an attempt number once, whoever reports it', async () => {
    const {
      deliveries: [claim],
    } = await claimDeliveries(database.pool, { batch: 1, perWebhook: 32, urgentPerWebhook: 12, leaseMs: 30_000 });
    if (!claim) throw new Error('one delivery should be waiting');
    const report = () => recordSettlements(database.pool, [{ claim, outcome: FAILED, retryInMs: 60_000 }]);
    const counted = await Promise.all([report(), report(), report()]);
    expect(counted.flat().filter(Boolean)).toHaveLength(1);
    const { rows } = await database.pool.query('select entity_id from outbox where entity_id = $1', [claim.deliveryId]);
    expect(rows).toHaveLength(1);
  });

  it('ignores a delivery that was removed with its webhook, and keeps the others', async () => {
    const other = await addWebhook(database.pool, webhook.projectId, 'https://receiver.test/2');
    await recordEvent(database.pool, webhook.projectId, 'f');
    const { deliveries } = await claimDeliveries(database.pool, {
      batch: 10,
      perWebhook: 32,
      urgentPerWebhook: 12,
      leaseMs: 30_000,
    });
    await database.pool.query('delete from webhooks where id = $1', [other.webhookId]);
    const counted = await recordSettlements(
      database.pool,
      deliveries.map((claim) => ({ claim, outcome: DELIVERED, retryInMs: null })),
    );
    expect(counted).toEqual(deliveries.map((claim) => claim.webhookId !== other.webhookId));
    expect(counted).toContain(false);
  });

  it('records 500 outcomes in one call', async () => {
    await Promise.all(
      Array.from({ length: 500 }, (_, index) => recordEvent(database.pool, webhook.projectId, `x${index}`)),
    );
    const { deliveries } = await claimDeliveries(database.pool, {
      batch: 500,
      perWebhook: 1000,
      urgentPerWebhook: 12,
      leaseMs: 30_000,
    });
    const counted = await recordSettlements(
      database.pool,
      deliveries.map((claim) => ({ claim, outcome: DELIVERED, retryInMs: null })),
    );
    expect(counted).toHaveLength(500);
    expect(counted.every(Boolean)).toBe(true);
  });
});

describe('deleteOldDeliveries', () => {
  it('removes finished deliveries that are older than their retention, a few at a time, with their attempts', async () => {
    await database.pool.query(`update deliveries set created_at = now() - interval '31 days' where item_id <> 'b'`);
    expect(await deleteOldDeliveries(database.pool, 30, 1)).toBe(1);
    expect(await deleteOldDeliveries(database.pool, 30, 100)).toBe(1);
    expect(await list()).toBe('bed');
    const { rows } = await database.pool.query('select count(*)::int as n from delivery_attempts');
    expect(rows).toEqual([{ n: 2 }]);
  });
});

describe('a delivery that is requested again while old ones are removed', () => {
  it('stays, and nobody has to wait', async () => {
    await database.pool.query(`update deliveries set created_at = now() - interval '31 days'`);
    const asking = await database.pool.connect();
    await asking.query('begin');
    const [failed] = await listDeliveries(database.pool, webhook.projectId, webhook.webhookId, { itemId: 'b' }, 1);
    await resendDelivery(asking, { ...webhook, deliveryId: failed?.deliveryId ?? '' });
    expect(await deleteOldDeliveries(database.pool, 30, 100)).toBe(2);
    await asking.query('commit');
    asking.release();
    expect(await deleteOldDeliveries(database.pool, 30, 100)).toBe(0);
    expect(await list()).toHaveLength(3);
  });
});

describe('a deleted webhook', () => {
  // proves: decisions-webhooks/delete
  it('disappears at once, gets no events, and is removed with its journal bit by bit, including waiting deliveries', async () => {
    const { projectId, webhookId } = webhook;
    const [failed] = await listDeliveries(database.pool, projectId, webhookId, { itemId: 'b' }, 1);
    const deliveryId = failed?.deliveryId ?? '';
    expect(await deleteWebhook(database.pool, projectId, webhookId)).toBe(true);
    expect(await deleteWebhook(database.pool, projectId, webhookId)).toBe(false);
    expect(await findWebhook(database.pool, projectId, webhookId)).toBeNull();
    expect(await listWebhooks(database.pool, projectId)).toEqual([]);
    expect(await readDelivery(database.pool, projectId, webhookId, deliveryId)).toBeNull();
    expect(await resendDelivery(database.pool, { projectId, webhookId, deliveryId })).toBe('unknown_delivery');
    await recordEvent(database.pool, projectId, 'f');
    const {
      rows: [left],
    } = await database.pool.query(`select count(*)::int as deliveries from deliveries`);
    expect(left).toEqual({ deliveries: 5 });
    expect([
      await purgeDeletedWebhooks(database.pool, 2),
      await purgeDeletedWebhooks(database.pool, 2),
      await purgeDeletedWebhooks(database.pool, 2),
    ]).toEqual([2, 2, 1]);
    expect((await database.pool.query('select from webhooks')).rowCount).toBe(0);
    expect((await database.pool.query('select from delivery_attempts')).rowCount).toBe(0);
  });

  it('is removed even while the row of another one is locked', async () => {
    const other = await addWebhook(database.pool, webhook.projectId, 'https://other.test/');
    for (const { projectId, webhookId } of [webhook, other]) await deleteWebhook(database.pool, projectId, webhookId);
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query('select from webhooks where id = $1 for no key update', [webhook.webhookId]);
    expect(await purgeDeletedWebhooks(database.pool, 100)).toBe(5);
    expect((await database.pool.query('select id from webhooks')).rows).toEqual([{ id: webhook.webhookId }]);
    await holder.query('rollback');
    holder.release();
    await purgeDeletedWebhooks(database.pool, 100);
    expect((await database.pool.query('select from webhooks')).rowCount).toBe(0);
  });

  it('keeps its row while one of its deliveries is being sent', async () => {
    await deleteWebhook(database.pool, webhook.projectId, webhook.webhookId);
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query(`select from deliveries where item_id = 'e' for update`);
    expect(await purgeDeletedWebhooks(database.pool, 100)).toBe(4);
    await holder.query('rollback');
    holder.release();
    expect((await database.pool.query('select from webhooks')).rowCount).toBe(1);
    expect(await purgeDeletedWebhooks(database.pool, 100)).toBe(1);
    expect((await database.pool.query('select from webhooks')).rowCount).toBe(0);
  });
});

describe('listOverdueRetries', () => {
  it('lists retries that are past their grace period, page by page', async () => {
    const page = (after: Awaited<ReturnType<typeof listOverdueRetries>>[number] | null) =>
      listOverdueRetries(database.pool, { graceMs: 1_000, after, limit: 1 });
    expect(await page(null)).toEqual([]);
    await database.pool.query(
      `update deliveries set lane = 'retry', next_attempt_at = now() - interval '2 seconds' where item_id in ('d', 'e')`,
    );
    await database.pool.query('delete from outbox');
    const [first] = await page(null);
    const [second] = await page(first ?? null);
    expect(new Set([first?.deliveryId, second?.deliveryId]).size).toBe(2);
    expect(await page(second ?? null)).toEqual([]);
  });
});
