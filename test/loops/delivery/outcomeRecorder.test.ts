import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { claimDeliveries } from '../../../db/webhooks/deliveries/claims.ts';
import { createPool } from '../../../db/pool.ts';
import { settlementOf } from '../../../loops/delivery/attempt.ts';
import { DEFAULT_LIMITS } from '../../../loops/delivery/firstLaneLimits.ts';
import { createWebhookMetrics } from '../../../loops/delivery/metrics.ts';
import { Recorder, talliesOf } from '../../../loops/delivery/outcomeRecorder.ts';
import type { ClaimedDelivery } from '../../../domain/webhooks/deliveryStates.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createTestDatabase, PATIENT_POOL, type TestDatabase } from '../../support/database.ts';
import { startTcpProxy } from '../../support/servers/tcpProxy.ts';
import { addProject, addWebhook, readDeliveries, recordEvent } from '../../support/webhooks/webhooks.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const DELIVERED = { startedAt: new Date(), durationMs: 1, responseStatus: 200, errorCode: null, error: null };

const recorderOf = (pool: pg.Pool): Recorder =>
  new Recorder(pool, createLogger('test', 'silent'), createWebhookMetrics(new Registry()));

/** Passes each statement of that name through `change` once; all others are unchanged. */
function interceptOnce(
  pool: pg.Pool,
  name: string,
  change: (send: () => Promise<unknown>) => Promise<unknown>,
): pg.Pool {
  let isDone = false;
  const query = (config: { name?: string }): Promise<unknown> => {
    const send = (): Promise<unknown> => pool.query(config as pg.QueryConfig);
    if (isDone || config.name !== name) return send();
    isDone = true;
    return change(send);
  };
  return Object.assign(Object.create(pool) as pg.Pool, { query });
}

/** Claims the probe of a held and failing webhook, which is admitted after the hold. */
async function claimProbe(): Promise<{ claim: ClaimedDelivery; wellness: () => Promise<unknown> }> {
  const webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
  await recordEvent(database.pool, webhook.projectId, 'probe');
  const {
    deliveries: [claim],
  } = await claimDeliveries(database.pool, DEFAULT_LIMITS);
  if (claim === undefined) throw new Error('nothing to attempt');
  await database.pool.query(
    `update webhooks set failures_in_row = 5, held_until = now() + interval '12 hours', failing_since = now() - interval '1 day' where id = $1`,
    [webhook.webhookId],
  );
  const wellness = async () =>
    (
      await database.pool.query('select failures_in_row, held_until, failing_since from webhooks where id = $1', [
        webhook.webhookId,
      ])
    ).rows[0];
  return { claim, wellness };
}

const WELL = { failures_in_row: 0, held_until: null, failing_since: null };

describe('Recorder', () => {
  // proves: decisions-lanes/bulk
  it('stores outcomes that come together in one statement', async () => {
    const webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
    for (let item = 0; item < 40; item += 1) await recordEvent(database.pool, webhook.projectId, `item-${item}`);
    const { deliveries } = await claimDeliveries(database.pool, DEFAULT_LIMITS);
    let statements = 0;
    const query = (config: pg.QueryConfig): Promise<unknown> => {
      statements += 1;
      return database.pool.query(config);
    };
    const recorder = recorderOf(Object.assign(Object.create(database.pool) as pg.Pool, { query }));
    const counted = await Promise.all(deliveries.map((claim) => recorder.add(settlementOf(claim, DELIVERED))));
    expect([counted.length, counted.every(Boolean), statements]).toEqual([40, true, 1]);
    const { rowCount } = await database.pool.query('select from delivery_attempts where project_id = $1', [
      webhook.projectId,
    ]);
    expect(rowCount).toBe(40);
  });

  it('stores the rest of a batch when the database refuses one', async () => {
    const webhook = await addWebhook(database.pool, await addProject(database.pool), 'https://receiver.test/');
    for (const item of ['1', '2', '3']) await recordEvent(database.pool, webhook.projectId, item);
    const { deliveries } = await claimDeliveries(database.pool, DEFAULT_LIMITS);
    await database.pool.query(
      `insert into delivery_attempts (project_id, delivery_id, attempt, started_at, duration_ms) values ($1, $2, 1, now(), 1)`,
      [webhook.projectId, deliveries[1]?.deliveryId],
    );
    const recorder = recorderOf(database.pool);
    const stored = await Promise.allSettled(deliveries.map((claim) => recorder.add(settlementOf(claim, DELIVERED))));
    expect(stored).toMatchObject([{ value: true }, { reason: { code: '23505' } }, { value: true }]);
    const rows = await readDeliveries(database.pool, webhook);
    expect(rows.map((row) => row.status).toSorted()).toEqual(['delivered', 'delivered', 'pending']);
  });

  it('ends the hold after a 2xx even if the database fails when the outcome is stored', async () => {
    const { claim, wellness } = await claimProbe();
    const url = new URL(database.url);
    const proxy = await startTcpProxy(url.host);
    url.host = proxy.address;
    const pool = createPool({ databaseUrl: url.href, size: 2, applicationName: 'attune-recorder', ...PATIENT_POOL });
    const faults: unknown[] = [];
    const restarting = interceptOnce(pool, 'webhooks-breaker', async (send) => {
      proxy.mode = 'cut';
      proxy.breakConnections();
      return send().catch((fault: unknown) => {
        faults.push(fault);
        proxy.mode = 'open';
        throw fault;
      });
    });
    try {
      expect(await recorderOf(restarting).add(settlementOf(claim, DELIVERED))).toBe(true);
    } finally {
      await pool.end();
      await proxy.close();
    }
    expect(faults).toHaveLength(1);
    expect(await wellness()).toEqual(WELL);
  });

  it('ends the hold even if the database stores the outcome and fails before it can confirm that', async () => {
    const { claim, wellness } = await claimProbe();
    const deaf = interceptOnce(database.pool, 'deliveries-settle', async (send) => {
      await send();
      throw new Error('Connection terminated unexpectedly');
    });
    await recorderOf(deaf).add(settlementOf(claim, DELIVERED));
    expect(await wellness()).toEqual(WELL);
  });
});

describe('talliesOf', () => {
  const projectId = 'project';
  const url = 'https://a.example/';
  const attemptOf = (event: ClaimedDelivery['event'], second: number, responseStatus: number, at = url) => ({
    claim: { projectId, webhookId: 'webhook', url: at, event } as ClaimedDelivery,
    retryInMs: null,
    outcome: {
      startedAt: new Date(second * 1000),
      durationMs: 1,
      responseStatus,
      errorCode: responseStatus === 200 ? null : ('http_status' as const),
      error: null,
    },
  });

  it("starts the time of failure at a failed event, and ends it at a test's 2xx", () => {
    const series = [
      attemptOf('webhook.test', 1, 500),
      attemptOf('item.processed', 2, 500),
      attemptOf('webhook.test', 3, 500),
    ];
    expect(talliesOf(series)).toEqual([
      { projectId, webhookId: 'webhook', url, up: false, down: 3, failingSince: new Date(2000) },
    ]);
    expect(talliesOf([...series, attemptOf('webhook.test', 4, 200), attemptOf('webhook.test', 5, 500)])).toEqual([
      { projectId, webhookId: 'webhook', url, up: true, down: 1, failingSince: null },
    ]);
  });

  it('counts attempts separately for each address that a webhook has had', () => {
    const other = 'https://b.example/';
    expect(talliesOf([attemptOf('item.processed', 1, 500), attemptOf('item.processed', 2, 200, other)])).toEqual([
      { projectId, webhookId: 'webhook', url, up: false, down: 1, failingSince: new Date(1000) },
      { projectId, webhookId: 'webhook', url: other, up: true, down: 0, failingSince: null },
    ]);
  });
});
