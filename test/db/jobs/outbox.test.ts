import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  claimEntries,
  deleteEntries,
  enqueue,
  OUTBOX_CHANNEL,
  postponeRefused,
  postponeUnanswered,
} from '../../../db/jobs/outbox.ts';
import { inTransaction } from '../../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ENTRY = { kind: 'item', projectId: 'p23456789012', priority: 2, requestId: null } as const;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.pool.query('delete from outbox'));
afterAll(() => database.drop());

const put = (entityId: string, priority = 2) => enqueue(database.pool, [{ ...ENTRY, entityId, priority }]);
const claim = (limit = 10) => inTransaction(database.pool, (client) => claimEntries(client, limit));
const clock = async (): Promise<number> =>
  (await database.pool.query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 as now')).rows[0]
    ?.now ?? NaN;

/**
 * Postpones the rows and checks that they return after `seconds`. Both a lower and an upper bound are measured,
 * because a busy machine may be slow in between.
 */
async function expectPause(postpone: () => Promise<unknown>, seconds: number): Promise<void> {
  const before = await clock();
  await postpone();
  const after = await clock();
  const {
    rows: [row],
  } = await database.pool.query<{ at: number }>('select extract(epoch from available_at)::float8 as at from outbox');
  expect(row?.at).toBeGreaterThanOrEqual(before + seconds);
  expect(row?.at).toBeLessThanOrEqual(after + seconds);
}

const idsOf = (entries: { entityId: string }[]): string[] => entries.map((entry) => entry.entityId);

describe('the outbox', () => {
  it('returns single writes before bulk loads, and each in order', async () => {
    await put('bulk-1', 4);
    await put('single-1');
    await put('bulk-2', 4);
    await put('single-2');
    expect(idsOf(await claim())).toEqual(['single-1', 'single-2', 'bulk-1', 'bulk-2']);
    expect(idsOf(await claim(3))).toEqual(['single-1', 'single-2', 'bulk-1']);
  });

  it('gives each project its turn, whoever has more rows or came first', async () => {
    await enqueue(
      database.pool,
      Array.from({ length: 300 }, (_, n) => ({ ...ENTRY, entityId: `a-${n}`, priority: 4 })),
    );
    const other = { ...ENTRY, projectId: 'other4567890', priority: 4 };
    await enqueue(
      database.pool,
      ['b-0', 'b-1', 'b-2'].map((entityId) => ({ ...other, entityId })),
    );
    await enqueue(database.pool, [{ ...other, kind: 'user-delete', entityId: 'job', priority: 3 }]);
    const ids = idsOf(await claim(10));
    expect(ids).toHaveLength(10);
    expect(ids).toEqual(['job', 'a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-5', 'b-0', 'b-1', 'b-2']);
  });

  it('keeps what was stored with a row', async () => {
    await enqueue(database.pool, [{ ...ENTRY, entityId: 'a', requestId: 'req' }]);
    expect(await claim()).toMatchObject([
      {
        kind: 'item',
        projectId: 'p23456789012',
        entityId: 'a',
        priority: 2,
        requestId: 'req',
        waitMs: 0,
        dueAt: null,
        attemptsMade: 0,
      },
    ]);
  });

  it('gives a row to one relay at a time, and returns it when that relay fails', async () => {
    await put('a');
    await put('b');
    await expect(
      inTransaction(database.pool, async (client) => {
        expect(idsOf(await claimEntries(client, 1))).toEqual(['a']);
        expect(idsOf(await claim())).toEqual(['b']);
        throw new Error('over');
      }),
    ).rejects.toThrow('over');
    expect(idsOf(await claim())).toEqual(['a', 'b']);
  });

  it('forgets finished rows', async () => {
    await put('a');
    await put('b');
    const [first] = await claim(1);
    await deleteEntries(database.pool, [first?.id ?? '']);
    expect(idsOf(await claim())).toEqual(['b']);
  });

  it('defers refused rows, for longer each time, up to a minute', async () => {
    await put('a');
    const [entry] = await claim();
    for (const pause of [1, 2, 4, 8, 16, 32, 60, 60, 60])
      await expectPause(() => postponeRefused(database.pool, [entry?.id ?? '']), pause);
    expect(await claim()).toEqual([]);
  });

  it('counts the pause from the refusal, however long the transaction has lasted', async () => {
    await put('a');
    await inTransaction(database.pool, async (client) => {
      const [entry] = await claimEntries(client, 1);
      await client.query('select pg_sleep(1.5)');
      const end = await clock();
      await postponeRefused(client, [entry?.id ?? '']);
      const { rows } = await client.query(
        'select extract(epoch from available_at)::float8 >= $1::float8 + 1 as later from outbox',
        [end],
      );
      expect(rows).toEqual([{ later: true }]);
    });
  });

  it('soon retries a row that got no answer, however often', async () => {
    await put('a');
    const {
      rows: [row],
    } = await database.pool.query<{ id: string }>('select id from outbox');
    for (let times = 0; times < 9; times += 1)
      await expectPause(() => postponeUnanswered(database.pool, [row?.id ?? '']), 2);
    expect((await database.pool.query('select refusals, attempts from outbox')).rows).toEqual([
      { refusals: 0, attempts: 9 },
    ]);
  });

  it('wakes the relay when the writer commits, not earlier', async () => {
    const listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    try {
      let woken = 0;
      const rung = new Promise<void>((resolve) => {
        listener.on('notification', () => {
          woken += 1;
          resolve();
        });
      });
      await listener.query(`listen ${OUTBOX_CHANNEL}`);
      await inTransaction(database.pool, async (client) => {
        await enqueue(client, [{ ...ENTRY, entityId: 'a' }]);
        await listener.query('select 1');
        expect(woken).toBe(0);
      });
      await rung;
    } finally {
      await listener.end();
    }
  });

  it('keeps nothing of a write that was rolled back', async () => {
    await expect(
      inTransaction(database.pool, async (client) => {
        await enqueue(client, [{ ...ENTRY, entityId: 'a' }]);
        throw new Error('over');
      }),
    ).rejects.toThrow('over');
    expect(await claim()).toEqual([]);
  });
});
