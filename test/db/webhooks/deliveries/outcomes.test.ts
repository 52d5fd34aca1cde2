import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimDeliveries } from '../../../../db/webhooks/deliveries/claims.ts';
import { settle } from '../../../../db/webhooks/deliveries/outcomes.ts';
import { DEFAULT_LIMITS } from '../../../../loops/delivery/firstLaneLimits.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { addProject, addWebhook, recordEvent } from '../../../support/webhooks/webhooks.ts';

const DELIVERED = { startedAt: new Date(), durationMs: 5, responseStatus: 200, errorCode: null, error: null };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('settle', () => {
  it.each([
    ['is well', 'failures_in_row = 0', false],
    ['has failed', 'failures_in_row = 1', true],
    ['was held back until now', 'held_until = now()', true],
    ['is known to fail', 'failing_since = now()', true],
  ])('says whether a webhook was unwell before its deliveries succeeded: it %s', async (_state, change, unwell) => {
    const { projectId } = await addWebhook(database.pool, await addProject(database.pool), 'https://example.com/');
    await addWebhook(database.pool, projectId, 'https://example.com/other');
    await database.pool.query(
      `update webhooks set ${change} where id in (select id from webhooks where project_id = $1 order by id limit 1)`,
      [projectId],
    );
    await recordEvent(database.pool, projectId, 'item-1');
    const { deliveries } = await claimDeliveries(database.pool, DEFAULT_LIMITS);
    expect(deliveries).toHaveLength(2);
    const settlements = deliveries.map((claim) => ({ claim, outcome: DELIVERED, retryInMs: null }));
    expect(await settle(database.pool, settlements)).toEqual({ counted: [true, true], unwell });
    expect(await settle(database.pool, settlements)).toEqual({ counted: [false, false], unwell: false });
  });
});
