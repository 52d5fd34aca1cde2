import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSenders, recordSenders, SENDERS_PER_OUTCOME, type SenderCount } from '../../../db/sites/senders.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the hosts that are kept', () => {
  it('include those from which another process records a batch at this moment', async () => {
    const { pool } = database;
    const siteId = randomUUID();
    const batchOf = (host: string, lastAt = new Date()): SenderCount => ({
      siteId,
      outcome: 'accepted',
      host,
      requests: 1,
      firstAt: lastAt,
      lastAt,
    });
    const anHourAgo = Date.now() - 3_600_000;
    const hosts = Array.from({ length: SENDERS_PER_OUTCOME }, (_, n) => batchOf(`host-${n}`, new Date(anHourAgo + n)));
    await recordSenders(pool, hosts, []);

    const other = await pool.connect();
    await other.query('begin');
    await other.query(`select from site_senders where site_id = $1 and host = 'host-0' for update`, [siteId]);
    const oldest = recordSenders(pool, [batchOf('host-0'), batchOf('new')], []);
    await untilWaiting(pool, 1);
    await recordSenders(pool, [batchOf('new')], []);
    await other.query('commit');
    other.release();
    await oldest;

    const kept = await listSenders(pool, siteId);
    expect(kept).toHaveLength(SENDERS_PER_OUTCOME);
    const counts = new Map(kept.map(({ host, requests }) => [host, requests]));
    expect(['host-0', 'host-1', 'new'].map((host) => counts.get(host))).toEqual([2, undefined, 2]);
  });
});

it('the first batch of a host is the earliest one, even if another process stores it later', async () => {
  const { pool } = database;
  const siteId = randomUUID();
  const [earlier, firstAt, lastAt] = [9_000, 4_000, 1_000].map((ago) => new Date(Date.now() - ago)) as [
    Date,
    Date,
    Date,
  ];
  const batches: SenderCount = { siteId, outcome: 'accepted', host: 'a.test', requests: 2, firstAt, lastAt };
  await recordSenders(pool, [batches], []);
  expect(await listSenders(pool, siteId)).toMatchObject([{ firstAt, lastAt }]);
  // Another process stores its counts later.
  await recordSenders(pool, [{ ...batches, requests: 1, firstAt: earlier, lastAt: earlier }], []);
  expect(await listSenders(pool, siteId)).toMatchObject([{ firstAt: earlier, lastAt, requests: 3 }]);
});
