/** The evidence of faults must distinguish good from bad. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from '../../../../domain/webhooks/retrySchedule.ts';
import { filesOn, orphanedKeys } from '../../../../tools/chaos/support/blobFiles.ts';
import { p95Ms } from '../../../../tools/chaos/support/latency.ts';
import { isOnSchedule } from '../../../../tools/chaos/support/retries.ts';
import { attemptsSince } from '../../../../tools/chaos/support/webhookState.ts';
import type { ChaosReceiver, Receipt } from '../../../../tools/chaos/fault.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestProject } from '../../../api/support/testApi.ts';

describe('isOnSchedule', () => {
  const [first = 0, second = 0] = RETRY_DELAYS_MS;
  it.each([
    [1, first, true],
    [1, first + 1_000, true],
    [2, second, true],
    [RETRY_DELAYS_MS.length, RETRY_DELAYS_MS.at(-1) ?? 0, true],
    [1, first - 1_000, false],
    [1, 10 * first, false],
    [2, first, false],
    [MAX_ATTEMPTS, 0, false],
  ])('returns, for attempt %i and a wait of %i ms after it, %p', (attempt, waitMs, expected) =>
    expect(isOnSchedule(attempt, waitMs)).toBe(expected),
  );
});

describe('the reader of evidence in the database', () => {
  let database: TestDatabase;
  let projectId: string;
  let webhookId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    ({ id: projectId } = await createTestProject(database.pool));
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into webhooks (project_id, url, secret, events) values ($1, 'https://example.com/', '', '{item.processed}') returning id`,
      [projectId],
    );
    webhookId = rows[0]?.id ?? '';
  });

  /** Adds a delivery recorded at a time (ms). @returns its id */
  async function delivery(at: number): Promise<string> {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into deliveries (project_id, webhook_id, event, item_id, item, created_at) values ($1, $2, 'item.processed', 'a', '{}', to_timestamp($3 / 1000.0)) returning id`,
      [projectId, webhookId, at],
    );
    return rows[0]?.id ?? '';
  }

  const receiver = (receipts: { deliveryId: string; at: number }[]): ChaosReceiver =>
    ({ webhookId, requests: receipts as Receipt[] }) as unknown as ChaosReceiver;
  const lastMinute = () => ({ from: Date.now() - 60_000, to: Date.now() + 1_000 });

  it('measures the time from recording a delivery to its first receipt, and treats a missing receipt as an endless wait', async () => {
    const recorded = Date.now() - 10_000;
    const ids = await Promise.all(Array.from({ length: 20 }, () => delivery(recorded)));
    await delivery(recorded - 3_000_000); // outside the period
    const came = ids.map((deliveryId, n) => ({ deliveryId, at: recorded + n * 100 }));
    const p95 = await p95Ms(
      database.pool,
      receiver([...came, ...came.map(({ deliveryId }) => ({ deliveryId, at: recorded + 9_000 }))]),
      lastMinute(),
    );
    expect(p95).toBeCloseTo(1_800, 0); // the 19th of 20
    expect(await p95Ms(database.pool, receiver(came.slice(2)), lastMinute())).toBe(Infinity);
    expect(await p95Ms(database.pool, receiver([]), { from: 0, to: 1 })).toBeNull();
  });

  it('measures how long a delivery waited for an attempt, from the end of the previous one', async () => {
    const id = await delivery(Date.now() - 100_000);
    await database.pool.query(
      `insert into delivery_attempts (project_id, delivery_id, attempt, started_at, duration_ms, response_status, error_code)
       values ($1, $2, 1, now() - interval '90 seconds', 10000, 500, 'http_status'), ($1, $2, 2, now() - interval '20 seconds', 5, 204, null)`,
      [projectId, id],
    );
    const attempts = (await attemptsSince(database.pool, webhookId, Date.now() - 60_000)).toSorted(
      (a, b) => a.attempt - b.attempt,
    );
    expect(
      attempts.map(({ attempt, waited_ms, response_status }) => ({ attempt, waited_ms, response_status })),
    ).toEqual([
      { attempt: 1, waited_ms: null, response_status: 500 },
      { attempt: 2, waited_ms: 60_000, response_status: 204 },
    ]);
    expect(await attemptsSince(database.pool, webhookId, Date.now() + 60_000)).toEqual([]);
  });

  it('finds orphaned files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attune-evidence-'));
    try {
      await mkdir(join(folder, 'media/p/known'), { recursive: true });
      await mkdir(join(folder, 'media/p/half'));
      await writeFile(join(folder, 'media/p/known/frame.jpg'), 'x');
      await writeFile(join(folder, 'media/p/half/frame.jpg'), 'x');
      await database.pool.query(
        `insert into blob_garbage (project_id, folder, after) values ($1, 'media/p/known', now())`,
        [projectId],
      );
      expect(await orphanedKeys(database.pool, await filesOn(folder))).toEqual(['media/p/half/frame.jpg']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
