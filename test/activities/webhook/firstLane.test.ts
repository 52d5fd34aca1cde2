import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lanes } from '../../../activities/webhook/lanes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answerWith, isSignedBy, startReceiver } from '../../support/receiver.ts';
import { addProject, addWebhook, allSettled, deliveriesUntil, recordEvent, startTestLanes } from '../../support/webhooks.ts';
import { cleanUp } from '../../outgoing/support/servers.ts';

let database: TestDatabase;
let lanes: Lanes[] = [];

function start(...options: Parameters<typeof startTestLanes> extends [unknown, ...infer More] ? More : never): Lanes {
  const started = startTestLanes(database, ...options);
  lanes.push(started);
  return started;
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(lanes.map((each) => each.close()));
  lanes = [];
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(() => database.drop());

describe('first lane', () => {
  it('delivers an event once, signed, and writes the journal', async () => {
    const receiver = await startReceiver();
    const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
    start();
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [request] = await receiver.received(1);
    const [row] = await deliveriesUntil(database.pool, webhook, allSettled);
    expect(row).toMatchObject({ status: 'delivered', lane: null, attempt: 1, response_status: 200, error_code: null });
    expect(request && isSignedBy(request, webhook.secret)).toBe(true);
    expect(request?.deliveryId).toBe(row?.id);
  });
});
