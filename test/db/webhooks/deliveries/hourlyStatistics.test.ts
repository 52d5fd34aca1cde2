/** Hourly statistics of webhooks: attempts as they are counted, and the longest backlog that the reviews saw. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimDeliveries } from '../../../../db/webhooks/deliveries/claims.ts';
import { recordSettlements } from '../../../../db/webhooks/deliveries/outcomes.ts';
import { reviewBacklogs } from '../../../../db/webhooks/backlog.ts';
import {
  deleteOldWebhookHours,
  listWebhookHours,
  readBacklog,
} from '../../../../db/webhooks/deliveries/hourlyStatistics.ts';
import { DURATION_ENDS_MS, percentile } from '../../../../domain/webhooks/durationHistogram.ts';
import { DEFAULT_LIMITS } from '../../../../loops/delivery/firstLaneLimits.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addProject, addWebhook, recordEvent, type TestWebhook } from '../../../support/webhooks/webhooks.ts';

let database: TestDatabase;
let webhook: TestWebhook;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://example.com/');
});

const hoursOf = ({ projectId, webhookId }: TestWebhook, hours = 2) =>
  listWebhookHours(database.pool, projectId, webhookId, hours);

/** Attempts one delivery for each of these durations; those with an odd duration fail. */
async function attempt(durations: readonly number[], startedAt = new Date()): Promise<void> {
  for (const at of durations.keys()) await recordEvent(database.pool, webhook.projectId, `item-${at}`);
  const { deliveries } = await claimDeliveries(database.pool, { ...DEFAULT_LIMITS, perWebhook: 100 });
  const settlements = deliveries.map((claim, index) => {
    const durationMs = durations[index] ?? 0;
    const outcome = { startedAt, durationMs, responseStatus: null, error: null };
    const errorCode = durationMs % 2 === 1 ? ('timeout' as const) : null;
    return { claim, outcome: { ...outcome, errorCode }, retryInMs: null };
  });
  expect(deliveries).toHaveLength(durations.length);
  await recordSettlements(database.pool, settlements);
  // The claims are no longer held, so the second call counts nothing.
  await recordSettlements(database.pool, settlements);
}

describe('attempts', () => {
  it('are counted in their hour, by duration', async () => {
    await attempt([4, 10, 11, 12, 999, 40_000]);
    await attempt([8]);
    const [before, now] = await hoursOf(webhook);
    expect(before).toMatchObject({ counts: [], backlog: 0 });
    expect(now?.counts).toEqual([
      { duration: 0, attempts: 3, failed: 0 },
      { duration: 1, attempts: 2, failed: 1 },
      { duration: 20, attempts: 1, failed: 1 },
      { duration: 36, attempts: 1, failed: 0 },
    ]);
  });

  it('are counted in the hour in which they began', async () => {
    await attempt([20], new Date(Date.now() - 3_600_000));
    expect((await hoursOf(webhook)).map(({ counts }) => counts.length)).toEqual([1, 0]);
  });

  it('of two workers at once are all counted', async () => {
    for (let at = 0; at < 20; at++) await recordEvent(database.pool, webhook.projectId, `item-${at}`);
    const { deliveries } = await claimDeliveries(database.pool, { ...DEFAULT_LIMITS, perWebhook: 100 });
    const outcome = { startedAt: new Date(), durationMs: 5, responseStatus: 200, errorCode: null, error: null };
    await Promise.all(
      deliveries.map((claim) => recordSettlements(database.pool, [{ claim, outcome, retryInMs: null }])),
    );
    expect((await hoursOf(webhook, 1))[0]?.counts).toEqual([{ duration: 0, attempts: 20, failed: 0 }]);
  });

  it('are forgotten with the journal', async () => {
    await attempt([20], new Date(Date.now() - 40 * 86_400_000));
    await attempt([20]);
    expect(await deleteOldWebhookHours(database.pool, 30, 10)).toBe(1);
    expect(await deleteOldWebhookHours(database.pool, 30, 10)).toBe(0);
    const { rows } = await database.pool.query('select attempts from webhook_hours where project_id = $1', [
      webhook.projectId,
    ]);
    expect(rows).toEqual([{ attempts: 1 }]);
  });
});

describe('the backlog of an hour', () => {
  it('is the longest that a review has seen', async () => {
    for (let at = 0; at < 3; at++) await recordEvent(database.pool, webhook.projectId, `item-${at}`);
    await reviewBacklogs(database.pool);
    expect(await readBacklog(database.pool, webhook.projectId, webhook.webhookId, 2)).toMatchObject({ events: 2 });
    await database.pool.query(`update deliveries set lane = null, status = 'delivered' where project_id = $1`, [
      webhook.projectId,
    ]);
    await recordEvent(database.pool, webhook.projectId, 'item-9');
    await reviewBacklogs(database.pool);
    expect((await hoursOf(webhook, 1))[0]?.backlog).toBe(3);
    const now = await readBacklog(database.pool, webhook.projectId, webhook.webhookId, 10);
    expect(now.events).toBe(1);
    expect(Date.now() - (now.since?.getTime() ?? 0)).toBeLessThan(60_000);
  });

  it('is zero if nothing waits', async () => {
    await reviewBacklogs(database.pool);
    expect((await hoursOf(webhook, 1))[0]?.backlog).toBe(0);
    expect(await readBacklog(database.pool, webhook.projectId, webhook.webhookId, 10)).toEqual({
      events: 0,
      since: null,
    });
  });
});

describe('a percentile', () => {
  const spans = (...attempts: number[]) => attempts.map((count, duration) => ({ duration, attempts: count }));
  it.each([
    ['is null without attempts', [], null],
    ['is the end of the span of the only attempt', spans(1), 10],
    ['leaves out the slowest of twenty attempts', spans(19, 1), 10],
    ['includes the slowest two of twenty attempts', spans(18, 2), 13],
    ['is the last end if all attempts are slow', [{ duration: 36, attempts: 4 }], DURATION_ENDS_MS.at(-1)],
  ])('%s', (_what, counts, expected) => {
    expect(percentile(counts, 0.95)).toBe(expected);
  });

  it('is at most 30 % too long', () => {
    for (const [index, end] of DURATION_ENDS_MS.slice(1).entries())
      expect(end / (DURATION_ENDS_MS[index] ?? 0)).toBeLessThan(1.31);
  });
});
