import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  claimDeliveries,
  claimRetry,
  refreshClaims,
  releaseClaims,
} from '../../../../db/webhooks/deliveries/claims.ts';
import { recordSettlements } from '../../../../db/webhooks/deliveries/outcomes.ts';
import { resendDelivery } from '../../../../db/webhooks/deliveries/testsAndResends.ts';
import type { AttemptOutcome, ClaimedDelivery } from '../../../../domain/webhooks/deliveryStates.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  addProject,
  addWebhook,
  numberDeliveries,
  readDeliveries,
  recordEvent,
  type TestWebhook,
} from '../../../support/webhooks/webhooks.ts';

const LIMITS = { batch: 100, perWebhook: 3, urgentPerWebhook: 2, leaseMs: 30_000 };
const DELIVERED: AttemptOutcome = {
  startedAt: new Date(),
  durationMs: 12,
  responseStatus: 200,
  errorCode: null,
  error: null,
};

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('delete from webhooks');
  projectId = await addProject(database.pool);
});
afterAll(() => database.drop());

/** Adds a webhook with one delivery for each item; the items are hex digits in the order of their ids. */
async function addWaiting(...items: string[]): Promise<TestWebhook> {
  const webhook = await addWebhook(database.pool, projectId, 'https://receiver.test/');
  for (const item of items) await recordEvent(database.pool, projectId, item);
  await numberDeliveries(database.pool, projectId);
  return webhook;
}

async function resend(webhook: TestWebhook, ...items: string[]): Promise<void> {
  const rows = await readDeliveries(database.pool, webhook);
  for (const item of items) {
    const deliveryId = rows.find((row) => row.id.endsWith(item))?.id ?? '';
    expect(await resendDelivery(database.pool, { ...webhook, deliveryId })).toBe('queued');
  }
}

async function claimItems(limits: Partial<typeof LIMITS> = {}): Promise<string> {
  const { deliveries } = await claimDeliveries(database.pool, { ...LIMITS, ...limits });
  return deliveries
    .map((claim) => claim.item.id)
    .toSorted()
    .join('');
}

/** Returns the claims of two successive holders of one delivery: the first one's lease has expired. */
async function claimTwice(): Promise<[late: ClaimedDelivery, holder: ClaimedDelivery]> {
  await addWaiting('1');
  const {
    deliveries: [late],
  } = await claimDeliveries(database.pool, { ...LIMITS, leaseMs: 0 });
  const {
    deliveries: [holder],
  } = await claimDeliveries(database.pool, LIMITS);
  if (!late || !holder) throw new Error('a delivery should have been claimed twice');
  return [late, holder];
}

describe('claims of deliveries that people requested', () => {
  it('come before the others, and the webhooks take turns', async () => {
    const busy = await addWaiting('1', '2', '3', '4');
    await resend(busy, '3', '4');
    const quiet = await addWaiting('5');
    await resend(quiet, '5');
    expect(await claimItems({ batch: 2 })).toBe('35');
    expect(await claimItems({ batch: 1 })).toBe('4');
  });

  it('are limited per webhook, so that thousands to one address leave room for others', async () => {
    const hanging = await addWaiting('1', '2', '3', '4', '5');
    await resend(hanging, '1', '2', '3', '4', '5');
    expect(await claimItems()).toBe('12');
    expect(await claimDeliveries(database.pool, LIMITS)).toEqual({
      deliveries: [],
      atLimit: [hanging.webhookId],
      isFull: false,
    });
  });

  it('are limited together with those in progress, even if older deliveries are requested later', async () => {
    const hanging = await addWaiting('1', '2', '3', '4', '5');
    await resend(hanging, '4', '5');
    await database.pool.query(`update deliveries set lane = null where lane = 'first'`);
    expect(await claimItems()).toBe('45');
    await resend(hanging, '1', '2', '3');
    expect(await claimItems()).toBe('');
  });

  it('have their own limit in addition to that of the first lane', async () => {
    const webhook = await addWaiting('1', '2', '3', '4', '5', '6', '7');
    await resend(webhook, '5', '6', '7');
    expect(await claimItems()).toBe('12356');
  });
});

describe('a worker among others', () => {
  const claimOwn = (perWebhook: number, inHand: Record<string, number> = {}) =>
    claimDeliveries(database.pool, {
      ...LIMITS,
      perWebhook: 6,
      own: { perWebhook, inHand: new Map(Object.entries(inHand)) },
    });

  it("leaves them their share of a webhook's waiting deliveries, and reports that there are more", async () => {
    const webhook = await addWaiting('1', '2', '3', '4', '5', '6', '7', '8');
    const other = await addWaiting('9');
    const first = await claimOwn(3);
    expect(
      first.deliveries
        .map((claim) => claim.item.id)
        .toSorted()
        .join(''),
    ).toBe('1239');
    expect(first.atLimit).toEqual([webhook.webhookId]);
    const again = await claimOwn(3, { [webhook.webhookId]: 3, [other.webhookId]: 1 });
    expect(again).toEqual({ deliveries: [], atLimit: [webhook.webhookId], isFull: false });
    const second = await claimOwn(3);
    expect(
      second.deliveries
        .map((claim) => claim.item.id)
        .toSorted()
        .join(''),
    ).toBe('456');
    expect(await claimOwn(3)).toEqual({ deliveries: [], atLimit: [webhook.webhookId], isFull: false });
  });

  it('claims more of a webhook once it has less in hand, even if little is left for the others', async () => {
    const webhook = await addWaiting('1', '2', '3', '4');
    expect((await claimOwn(3)).atLimit).toEqual([webhook.webhookId]);
    expect(await claimOwn(3, { [webhook.webhookId]: 2 })).toMatchObject({
      deliveries: [{ item: { id: '4' } }],
      atLimit: [],
      isFull: false,
    });
  });
});

describe('a claim', () => {
  // proves: decisions-lanes/batches, decisions-lanes/lease
  it('has all that waits up to its limits, and nothing that another one holds', async () => {
    await addWaiting('1', '2', '3');
    await addWaiting('4', '5');
    expect(await claimItems()).toBe('12345');
    expect(await claimItems()).toBe('');
    await database.pool.query('update deliveries set leased_until = now() where item_id in ($1, $2)', ['2', '4']);
    expect(await claimItems()).toBe('24');
  });

  // proves: decisions-lanes/skip-locked
  it('does not wait for a delivery that somebody has locked, and leaves it out', async () => {
    await addWaiting('1', '2', '3');
    const holder = await database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query(`select from deliveries where item_id = '2' for update`);
      expect(await claimItems()).toBe('13');
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await claimItems()).toBe('2');
  });
});

describe('a claim whose lease has expired', () => {
  it('releases nothing that somebody else holds', async () => {
    const [late, holder] = await claimTwice();
    await releaseClaims(database.pool, [late]);
    expect(await claimItems()).toBe('');
    await releaseClaims(database.pool, [holder]);
    expect(await claimItems()).toBe('1');
  });

  it('is no longer current', async () => {
    const [late, holder] = await claimTwice();
    expect(await refreshClaims(database.pool, [late])).toEqual([null]);
    expect(await refreshClaims(database.pool, [holder])).toEqual([holder]);
  });

  it('settles nothing', async () => {
    const [late, holder] = await claimTwice();
    expect(await recordSettlements(database.pool, [{ claim: late, outcome: DELIVERED, retryInMs: null }])).toEqual([
      false,
    ]);
    expect(await recordSettlements(database.pool, [{ claim: late, dropped: 'webhook' }])).toEqual([false]);
    expect(await recordSettlements(database.pool, [{ claim: holder, outcome: DELIVERED, retryInMs: null }])).toEqual([
      true,
    ]);
    expect(await recordSettlements(database.pool, [{ claim: holder, outcome: DELIVERED, retryInMs: null }])).toEqual([
      false,
    ]);
  });

  it('does not count in the retry lane either', async () => {
    const webhook = await addWaiting('1');
    const [row] = await readDeliveries(database.pool, webhook);
    await database.pool.query(`update deliveries set lane = 'retry', attempt = 1`);
    const claim = (leaseMs: number) => claimRetry(database.pool, projectId, row?.id ?? '', 2, leaseMs);
    const [late, holder] = [await claim(0), await claim(30_000)];
    if (!late || !holder) throw new Error('the delivery should have been claimed twice');
    await releaseClaims(database.pool, [late]);
    expect(await claim(30_000)).toBeNull();
    expect(await recordSettlements(database.pool, [{ claim: holder, outcome: DELIVERED, retryInMs: null }])).toEqual([
      true,
    ]);
  });
});

describe('the claim of a retry', () => {
  async function claimDueIn(wait: string): Promise<ClaimedDelivery | null> {
    const webhook = await addWaiting('1');
    const [row] = await readDeliveries(database.pool, webhook);
    await database.pool.query(
      `update deliveries set lane = 'retry', attempt = 1, next_attempt_at = now() + $1::interval`,
      [wait],
    );
    return claimRetry(database.pool, projectId, row?.id ?? '', 2, 30_000);
  }

  it('is refused before its time, whoever asks', async () => expect(await claimDueIn('1 minute')).toBeNull());

  it.each(['-1 minute', '0 seconds', '900 milliseconds'])(
    'is granted when it is due in %s, because clocks differ slightly',
    async (wait) => {
      expect(await claimDueIn(wait)).toMatchObject({ attempt: 2, lane: 'retry' });
    },
  );
});
