/** `failing_since`: the time since which a webhook has been failing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { requestTest } from '../../../db/webhooks/deliveries/testsAndResends.ts';
import type { Lanes } from '../../../loops/delivery/lanes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { answerWith, startReceiver, type Answer } from '../../support/servers/receiver.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  recordEvent,
  startTestLanes,
  type TestWebhook,
} from '../../support/webhooks/webhooks.ts';
import { cleanUp, startClosedAgent } from '../../platform/outgoing/support/servers.ts';

let database: TestDatabase;
let lanes: Lanes | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await lanes?.close();
  await cleanUp();
  await database.pool.query('delete from webhooks');
});
afterAll(() => database.drop());

async function addReceiver(answer?: Answer) {
  const receiver = await startReceiver(answer);
  const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
  return { receiver, webhook };
}

interface State {
  failing_since: Date | null;
  /** Changes with every write of the row. */
  version: string;
}

async function read({ webhookId }: TestWebhook): Promise<State> {
  const { rows } = await database.pool.query<State>(
    'select failing_since, xmin::text || ctid::text as version from webhooks where id = $1',
    [webhookId],
  );
  return rows[0] ?? { failing_since: null, version: '' };
}

async function attemptOne(webhook: TestWebhook, itemId: string): Promise<void> {
  await recordEvent(database.pool, webhook.projectId, itemId);
  await deliveriesUntil(database.pool, webhook, (rows) => rows.every((row) => row.attempt > 0));
}

const failingSince = (webhook: TestWebhook): Promise<Date> =>
  eventually(async () => (await read(webhook)).failing_since, 'the start of the failure');
const answersAgain = (webhook: TestWebhook) =>
  eventually(async () => (await read(webhook)).failing_since === null, 'the end of the failure');
const firstStart = async ({ webhookId }: TestWebhook): Promise<Date | undefined> => {
  const { rows } = await database.pool.query<{ first: Date }>(
    'select min(started_at) as first from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.webhook_id = $1',
    [webhookId],
  );
  return rows[0]?.first;
};

describe('failing_since', () => {
  it.each<[string, Answer]>([
    ['a 500', answerWith(500)],
    ['a 404', answerWith(404)],
    ['a redirect', (response) => void response.writeHead(302, { location: '/' }).end()],
  ])('is the start of the first attempt that got %s, and stays while later ones fail', async (_what, answer) => {
    const { webhook } = await addReceiver(answer);
    lanes = startTestLanes(database);
    await attemptOne(webhook, 'item-1');
    const since = await failingSince(webhook);
    expect(since).toEqual(await firstStart(webhook));
    await attemptOne(webhook, 'item-2');
    await attemptOne(webhook, 'item-3');
    expect((await read(webhook)).failing_since).toEqual(since);
  });

  it('is set by an attempt to reach a forbidden address too', async () => {
    const { webhook } = await addReceiver();
    lanes = startTestLanes(database, { agent: startClosedAgent() });
    await attemptOne(webhook, 'item-1');
    expect(await failingSince(webhook)).toEqual(await firstStart(webhook));
  });

  it('is cleared by a 2xx, even one to a test', async () => {
    const { webhook, receiver } = await addReceiver(answerWith(404));
    lanes = startTestLanes(database);
    await attemptOne(webhook, 'item-1');
    const first = await failingSince(webhook);
    receiver.answer = answerWith(204);
    await attemptOne(webhook, 'item-2');
    await answersAgain(webhook);
    receiver.answer = answerWith(410);
    await attemptOne(webhook, 'item-3');
    expect((await failingSince(webhook)).getTime()).toBeGreaterThan(first.getTime());
    receiver.answer = answerWith(200);
    await requestTest(database.pool, { ...webhook, requestId: null });
    expect(await answersAgain(webhook)).toBe(true);
  });

  it.each([404, 500])(
    'is not set by a test that got a %i, because there might be no later attempt to clear it',
    async (status) => {
      const { webhook } = await addReceiver(answerWith(status));
      lanes = startTestLanes(database);
      await requestTest(database.pool, { ...webhook, requestId: null });
      await deliveriesUntil(database.pool, webhook, allSettled);
      await lanes.close(); // every attempt is recorded by then
      lanes = undefined;
      expect((await read(webhook)).failing_since).toBeNull();
    },
  );

  it('costs a healthy webhook no write, and one that keeps failing with a 404 only the first', async () => {
    const healthy = await addReceiver();
    const missing = await addReceiver(answerWith(404));
    const before = await read(healthy.webhook);
    lanes = startTestLanes(database);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => recordEvent(database.pool, healthy.webhook.projectId, `item-${index}`)),
    );
    await attemptOne(missing.webhook, 'item-1');
    await failingSince(missing.webhook);
    const noted = await read(missing.webhook);
    await attemptOne(missing.webhook, 'item-2');
    await deliveriesUntil(database.pool, healthy.webhook, allSettled);
    await lanes.close(); // every attempt is recorded by then
    lanes = undefined;
    expect(await read(healthy.webhook)).toEqual(before);
    expect(await read(missing.webhook)).toEqual(noted);
  });
});
