import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { closeJob, listOpenJobs, openJob, type JobEntry, type OpenJob } from '../../../db/jobs/jobs.ts';
import { inTransaction } from '../../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('truncate outbox, jobs');
  projectId = await createTestProject(database.pool);
});
afterAll(() => database.drop());

const job = (entityId: string): JobEntry => ({
  kind: 'orders',
  projectId,
  entityId,
  priority: 2,
  requestId: 'request',
});
const count = async (table: 'jobs' | 'outbox'): Promise<number> =>
  (await database.pool.query(`select from ${table}`)).rowCount ?? -1;
const openLongAgo = async (entityId: string): Promise<void> => {
  await openJob(database.pool, job(entityId));
  await database.pool.query(`update jobs set created_at = now() - interval '2 minutes' where entity_id = $1`, [
    entityId,
  ]);
};

describe('openJob', () => {
  it("is part of the caller's transaction", async () => {
    await expect(
      inTransaction(database.pool, async (client) => {
        await openJob(client, job('a'));
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect([await count('jobs'), await count('outbox')]).toEqual([0, 0]);
  });

  it('records when the job was opened, not when its transaction began', async () => {
    const isLater = await inTransaction(database.pool, async (client) => {
      await client.query('select now()');
      await openJob(client, job('a'));
      const { rows } = await client.query<{ isLater: boolean }>('select created_at > now() as "isLater" from jobs');
      return rows[0]?.isLater;
    });
    expect(isLater).toBe(true);
  });

  it('hands an open job over again, and keeps one row', async () => {
    await openJob(database.pool, job('a'));
    await openJob(database.pool, job('a'));
    expect([await count('jobs'), await count('outbox')]).toEqual([1, 2]);
  });
});

describe('closeJob', () => {
  it('ends only this job, and may be repeated', async () => {
    await openJob(database.pool, job('a'));
    await openJob(database.pool, job('b'));
    await closeJob(database.pool, job('a'));
    await closeJob(database.pool, job('a'));
    await closeJob(database.pool, { ...job('b'), kind: 'import' });
    expect((await database.pool.query('select entity_id from jobs')).rows).toEqual([{ entity_id: 'b' }]);
  });
});

describe('listOpenJobs', () => {
  it('pages through waiting jobs without an outbox row, oldest first', async () => {
    for (const entityId of ['a', 'b', 'c', 'd', 'e']) await openLongAgo(entityId);
    await database.pool.query(`delete from outbox where entity_id <> 'c'`);
    await openJob(database.pool, job('fresh'));
    await database.pool.query(`delete from outbox where entity_id = 'fresh'`);
    const seen: string[] = [];
    let after: OpenJob | null = null;
    do {
      const page: OpenJob[] = await listOpenJobs(database.pool, { graceMs: 60_000, after, limit: 2 });
      seen.push(...page.map(({ entityId }) => entityId));
      after = page.at(-1) ?? null;
    } while (after !== null);
    expect(seen).toEqual(['a', 'b', 'd', 'e']);
  });

  it('returns what a job was opened with', async () => {
    await openLongAgo('a');
    await database.pool.query('delete from outbox');
    expect(await listOpenJobs(database.pool, { graceMs: 60_000, after: null, limit: 10 })).toEqual([
      { ...job('a'), createdAt: expect.any(String) },
    ]);
  });
});
