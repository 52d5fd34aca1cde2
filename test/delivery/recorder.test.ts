import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { claimDeliveries } from '../../db/deliveryClaims.ts';
import { settled } from '../../delivery/attempt.ts';
import { DEFAULT_LIMITS } from '../../delivery/limits.ts';
import { createWebhookMetrics } from '../../delivery/metrics.ts';
import { Recorder } from '../../delivery/recorder.ts';
import { createLogger } from '../../process/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addProject, addWebhook, readDeliveries, recordEvent } from '../support/webhooks.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('Recorder', () => {
  it('stores the others of a batch when the database refuses one', async () => {
    const webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
    for (const item of ['1', '2', '3']) await recordEvent(database.pool, webhook.projectId, item);
    const { deliveries } = await claimDeliveries(database.pool, DEFAULT_LIMITS);
    await database.pool.query(
      `insert into delivery_attempts (project_id, delivery_id, attempt, started_at, duration_ms) values ($1, $2, 1, now(), 1)`,
      [webhook.projectId, deliveries[1]?.deliveryId],
    );
    const recorder = new Recorder(database.pool, createLogger('test', 'silent'), createWebhookMetrics(new Registry()));
    const outcome = { startedAt: new Date(), durationMs: 1, responseStatus: 200, errorCode: null, error: null };
    const stored = await Promise.allSettled(deliveries.map((claim) => recorder.add(settled(claim, outcome))));
    expect(stored).toMatchObject([{ value: true }, { reason: { code: '23505' } }, { value: true }]);
    const rows = await readDeliveries(database.pool, webhook);
    expect(rows.map((row) => row.status).toSorted()).toEqual(['delivered', 'delivered', 'pending']);
  });
});
