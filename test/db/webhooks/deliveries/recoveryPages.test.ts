/** Recoveries while their webhook is disabled, enabled or deleted or its project archived, and the cost of counting. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimDeliveries } from '../../../../db/webhooks/deliveries/claims.ts';
import { recordSettlements } from '../../../../db/webhooks/deliveries/outcomes.ts';
import { inTransaction } from '../../../../db/pool.ts';
import { updateProject } from '../../../../db/accounts/projects.ts';
import { findRecovery } from '../../../../db/webhooks/deliveries/recoveries.ts';
import { recoverPage } from '../../../../db/webhooks/deliveries/recoveryPages.ts';
import { deleteWebhook, updateWebhook } from '../../../../db/webhooks/webhooks.ts';
import { DEFAULT_LIMITS } from '../../../../loops/delivery/firstLaneLimits.ts';
import type { ClaimedDelivery } from '../../../../domain/webhooks/deliveryStates.ts';
import { MAX_LEASE_MS, RETRY_LEASE_MS } from '../../../../domain/webhooks/claimLease.ts';
import { RECOVERY_COUNTED, RECOVERY_ROOM } from '../../../../domain/webhooks/recovery.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { untilWaiting } from '../../../support/lockWaits.ts';
import { addUndelivered, askRecovery, openTestRecovery, recoverAll } from '../../../support/webhooks/recoveries.ts';
import { addProject, addWebhook, recordEvent, type TestWebhook } from '../../../support/webhooks/webhooks.ts';
import { setClientState } from '../../../support/setClientState.ts';

const LIMITS = { batch: 1_000, perWebhook: 1_000, urgentPerWebhook: 10, leaseMs: 50_000 };

let database: TestDatabase;
let webhook: TestWebhook;
let clientId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('truncate webhooks, jobs, outbox cascade');
  const projectId = await addProject(database.pool);
  clientId =
    (await database.pool.query<{ client_id: string }>('select client_id from projects where id = $1', [projectId]))
      .rows[0]?.client_id ?? '';
  webhook = await addWebhook(database.pool, projectId, 'https://receiver.test/');
});
afterAll(() => database.drop());

const setEnabled = (enabled: boolean) =>
  updateWebhook(database.pool, webhook.projectId, webhook.webhookId, { enabled });
const setProject = (isActive: boolean) =>
  updateProject(database.pool, webhook.projectId, { state: isActive ? 'active' : 'archived' });
const setClient = (isActive: boolean) => setClientState(database.pool, clientId, isActive ? 'active' : 'blocked');
const page = (id: string) => recoverPage(database.pool, webhook.projectId, id);
const find = (id: string) => findRecovery(database.pool, webhook.projectId, webhook.webhookId, id);
const jobs = async () => (await database.pool.query(`select from jobs where kind = 'webhook-recovery'`)).rowCount;
const claim = async () => (await claimDeliveries(database.pool, LIMITS)).deliveries;

/** Drops claims whose webhook changed meanwhile, as a worker does. */
async function drop(claims: readonly ClaimedDelivery[]): Promise<void> {
  await recordSettlements(
    database.pool,
    claims.map((claimed) => ({ claim: claimed, dropped: claimed.obstacle ?? 'secret' })),
  );
}

describe('a recovery', () => {
  it.each([
    ['was disabled', setEnabled],
    ['had its project archived', setProject],
    ['had its client blocked', setClient],
  ])('ends even if its webhook, which %s, sends again before the next page', async (_what, set) => {
    await addUndelivered(database.pool, webhook, { count: 300 });
    const { id } = await openTestRecovery(database.pool, webhook);
    await page(id);
    await set(false);
    await drop(await claim());
    await set(true);
    expect(await jobs()).toBe(0);
    expect(await page(id)).toMatchObject({ state: 'cancelled', done: RECOVERY_ROOM.least, total: 300 });
    expect(await find(id)).toMatchObject({ state: 'cancelled', finishedAt: expect.any(Date) });
    const next = await openTestRecovery(database.pool, webhook);
    expect((await recoverAll(database.pool, webhook, next.id)).at(-1)).toMatchObject({
      state: 'done',
      total: 300,
      done: 300,
    });
  });

  it('ends with its webhook', async () => {
    const { id } = await openTestRecovery(database.pool, webhook);
    expect(await deleteWebhook(database.pool, webhook.projectId, webhook.webhookId)).toBe(true);
    expect([await find(id), await jobs()]).toMatchObject([{ state: 'cancelled' }, 0]);
  });

  it('continues when something else about the webhook or the project changes, or another webhook is deleted', async () => {
    const { id } = await openTestRecovery(database.pool, webhook);
    const other = await addWebhook(database.pool, webhook.projectId, 'https://other.test/');
    const { id: otherId } = await openTestRecovery(database.pool, other);
    await updateWebhook(database.pool, webhook.projectId, webhook.webhookId, {
      url: 'https://moved.test/',
      events: ['item.failed'],
      enabled: true,
    });
    await updateProject(database.pool, webhook.projectId, { title: 'renamed', state: 'active' });
    await deleteWebhook(database.pool, other.projectId, other.webhookId);
    expect([
      await find(id),
      await findRecovery(database.pool, other.projectId, other.webhookId, otherId),
      await jobs(),
    ]).toMatchObject([{ state: 'running' }, { state: 'cancelled' }, 1]);
  });

  it.each([
    ['webhook is being disabled', 'update webhooks set enabled = false where project_id = $1'],
    ['project is being archived', `update projects set state = 'archived' where id = $1`],
    [
      'client is being blocked',
      `update clients c set state = 'blocked' from projects p where p.id = $1 and c.id = p.client_id`,
    ],
  ])('is not opened if the %s at that moment', async (_what, change) => {
    const asked = await inTransaction(database.pool, async (client) => {
      await client.query(change, [webhook.projectId]);
      const answer = askRecovery(database.pool, webhook);
      await untilWaiting(database.pool, 1);
      return { answer };
    });
    expect(await asked.answer).toBe('not_sending');
    expect(await jobs()).toBe(0);
  });
});

describe('a drop that began before the recovery was requested', () => {
  it('is included: the first page waits for it', async () => {
    await recordEvent(database.pool, webhook.projectId, 'a');
    await setEnabled(false);
    const claims = await claim();
    expect(claims.map(({ obstacle }) => obstacle)).toEqual(['webhook']);
    await setEnabled(true);
    const { id } = await openTestRecovery(database.pool, webhook);
    expect(await page(id)).toMatchObject({ state: 'running', done: 0 });
    await drop(claims);
    expect(await page(id)).toMatchObject({ state: 'done', total: 1, done: 1 });
  });

  it.each(['first', 'urgent', 'retry'])(
    'holds up the first page for a minute at most (lane %s), and only for its own webhook',
    async (lane) => {
      await addUndelivered(database.pool, webhook, { count: 1 });
      const other = await addWebhook(database.pool, webhook.projectId, 'https://other.test/');
      await recordEvent(database.pool, webhook.projectId, 'a');
      await database.pool.query(
        `update deliveries set lane = $1, leased_until = now() + interval '40 seconds' where lane is not null`,
        [lane],
      );
      const { id } = await openTestRecovery(database.pool, webhook);
      const { id: otherId } = await openTestRecovery(database.pool, other);
      await database.pool.query('delete from deliveries where webhook_id = $1', [other.webhookId]);
      expect([await page(id), await page(otherId)]).toMatchObject([{ state: 'running', done: 0 }, { state: 'done' }]);
      await database.pool.query(
        `update webhook_recoveries set created_at = created_at - interval '2 minutes' where id = $1`,
        [id],
      );
      expect(await page(id)).toMatchObject({ state: 'done', done: 1 });
    },
  );

  it('is recognised by its lease, because no lease is longer than the maximum', () => {
    for (const leaseMs of [DEFAULT_LIMITS.leaseMs, RETRY_LEASE_MS]) expect(leaseMs).toBeLessThanOrEqual(MAX_LEASE_MS);
  });

  it('is not confused with attempts that began later', async () => {
    await addUndelivered(database.pool, webhook, { count: 1 });
    const { id } = await openTestRecovery(database.pool, webhook);
    await recordEvent(database.pool, webhook.projectId, 'a');
    expect(await claim()).toHaveLength(1);
    expect(await page(id)).toMatchObject({ state: 'done', done: 1 });
  });
});

describe('the total', () => {
  it('is unknown if more is undelivered than is examined, whatever was requested', async () => {
    await addUndelivered(database.pool, webhook, { count: RECOVERY_COUNTED, status: 'dropped' });
    const known = await openTestRecovery(database.pool, webhook);
    expect(await page(known.id)).toMatchObject({ state: 'running', total: RECOVERY_COUNTED });
    await setEnabled(false);
    await setEnabled(true);
    await addUndelivered(database.pool, webhook, { count: RECOVERY_ROOM.least + 1, status: 'dropped', prefix: 'more' });
    const { id } = await openTestRecovery(database.pool, webhook, { statuses: ['failed'] });
    await database.pool.query(`update deliveries set lane = null, status = 'dropped' where lane = 'first'`);
    expect(await page(id)).toMatchObject({ state: 'running', total: null, done: 0 });
    expect(await page(id)).toMatchObject({ state: 'running', total: null, done: 0 });
  });
});

describe('the time of a recovery', () => {
  // proves: decisions-webhooks/recover
  it('includes its first moment and not its last', async () => {
    await addUndelivered(database.pool, webhook, { count: 3 });
    const { rows } = await database.pool.query<{ at: Date }>(
      `update deliveries set created_at = date_trunc('milliseconds', created_at) returning created_at as at`,
    );
    const [since, , until] = rows.map(({ at }) => at).sort((a, b) => a.getTime() - b.getTime());
    const { id } = await openTestRecovery(database.pool, webhook, { ...(since && { since }), until: until ?? null });
    expect(await page(id)).toMatchObject({ state: 'done', total: 2, done: 2 });
    const { rows: left } = await database.pool.query('select item_id from deliveries where lane is null');
    expect(left).toEqual([{ item_id: 'item-3' }]);
  });
});
