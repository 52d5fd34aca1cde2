import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listUnfinishedItems } from '../../db/jobs/unfinishedItems.ts';
import { deleteItem, patchItem } from '../../db/items/writeItems.ts';
import { oldestQueuedSeconds, readQueueDepth } from '../../db/installation/serviceReports.ts';
import type { Queryable } from '../../db/pool.ts';
import { listProjectsThatWait } from '../../db/analysis/volume.ts';
import { monthOf } from '../../domain/analysis/volume.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { withoutTriggers } from '../support/unstamped.ts';
import { DECEMBER, NOVEMBER, VolumeStage } from '../support/items/volume.ts';

let database: TestDatabase;
let stage: VolumeStage;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  stage = await VolumeStage.open(database.pool);
  projectId = stage.projectId;
});

describe('an item that waits for volume', () => {
  // proves: states/step-states, decisions-items/waiting
  it('keeps its status and time, and is ignored by the reconciler and the depth of the queue', async () => {
    await stage.limit(0);
    await stage.put('a');
    const before = await stage.look('a');
    await stage.plan('a');
    const after = await stage.look('a');
    expect(after).toMatchObject({ status: 'queued', updatedAt: before.updatedAt });
    await database.pool.query('delete from outbox');
    await withoutTriggers(
      database.pool,
      `update items set updated_at = now() - interval '2 hours' where project_id = $1`,
      [projectId],
    );
    expect(
      (
        await listUnfinishedItems(database.pool, { graceMs: 60_000, after: null, limit: 1_000, withDeferred: true })
      ).filter((item) => item.projectId === projectId),
    ).toEqual([]);
    const depth = await readQueueDepth(database.pool, 1_000);
    await stage.limit(1);
    expect(await stage.resume()).toBe(1);
    expect((await readQueueDepth(database.pool, 1_000)).unfinishedItems).toBe(depth.unfinishedItems + 1);
  });

  // proves: states/volume-exhausted
  it('continues when the volume is raised, oldest first and no more than fits', async () => {
    await stage.limit(0);
    await stage.putWaiting(['c', 'a', 'b']);
    await database.pool.query('delete from outbox');
    expect(await stage.resume()).toBe(0);
    await stage.limit(2);
    expect(await stage.resume()).toBe(2);
    expect([
      (await stage.states('c')).summary,
      (await stage.states('a')).summary,
      (await stage.states('b')).summary,
    ]).toEqual(['queued', 'queued', 'waiting']);
    const { rows } = await database.pool.query<{ id: string; priority: number }>(
      'select entity_id as id, priority from outbox where project_id = $1 order by id',
      [projectId],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(['a', 'c']);
    expect(rows.every(({ priority }) => priority === 4)).toBe(true);
    expect((await stage.plan('c'))?.steps.summary).toEqual(expect.not.objectContaining({ units: expect.anything() }));
  });

  // proves: states/volume-exhausted
  it('continues in a new month', async () => {
    await stage.limit(1);
    await stage.put('a');
    await stage.plan('a');
    await stage.putWaiting(['b']);
    expect(await stage.resume()).toBe(0);
    expect(await stage.resume(DECEMBER)).toBe(1);
    await stage.plan('b', DECEMBER);
    expect([await stage.volume(), await stage.volume(DECEMBER)]).toEqual([
      { used: 0, reserved: 1 },
      { used: 0, reserved: 1 },
    ]);
  });

  // proves: decisions-volume/no-limit
  it('continues when the limit is removed', async () => {
    await stage.limit(0);
    await stage.putWaiting(['a', 'b']);
    await stage.limit(null);
    expect(await stage.resume()).toBe(2);
    await stage.plan('a');
    expect(await stage.states('a')).toMatchObject({ summary: 'queued', embedding: 'queued' });
  });

  it('lets smaller items pass if it is larger than the free volume', async () => {
    await stage.limit(0);
    await stage.putWaiting(['large'], 50_000);
    await stage.putWaiting(['small']);
    await stage.limit(5);
    expect(await stage.resume()).toBe(1);
    expect([(await stage.states('large')).summary, (await stage.states('small')).summary]).toEqual([
      'waiting',
      'queued',
    ]);
  });

  it('keeps waiting if another one was faster', async () => {
    await stage.limit(1);
    await stage.put('first');
    await stage.plan('first');
    await stage.putWaiting(['second']);
    await stage.limit(2);
    await stage.resume();
    await stage.put('third');
    await stage.plan('third');
    await stage.plan('second');
    expect(await stage.states('second')).toMatchObject({ summary: 'waiting' });
    expect(await stage.volume()).toEqual({ used: 0, reserved: 2 });
  });

  it('is resumed only after it has been restored if it was deleted', async () => {
    await stage.limit(0);
    await stage.putWaiting(['a']);
    await deleteItem(database.pool, { projectId, itemId: 'a' });
    await stage.limit(5);
    expect(await stage.resume()).toBe(0);
    await stage.put('a');
    expect(await stage.resume()).toBe(1);
  });

  it('is outdated by a write like any other', async () => {
    await stage.limit(0);
    await stage.putWaiting(['a'], 3_000);
    await patchItem(database.pool, { projectId, itemId: 'a', patch: { body: 'коротко' }, requestId: null });
    expect(await stage.flags('a')).toEqual({ waiting: false, units: null });
    await stage.plan('a');
    expect(await stage.flags('a')).toEqual({ waiting: true, units: 1 });
  });
});

describe('twenty thousand waiting items', () => {
  const MANY = 20_000;
  /** A full scan would touch more than a thousand. */
  const FEW_BLOCKS = 100;

  it('let a search for work touch only a few blocks', async () => {
    await stage.limit(0);
    await stage.putWaiting(['pattern']);
    await database.pool.query(
      `insert into items (project_id, id, type, body, published_at, origin, available, revision, status, steps, created_at, updated_at)
       select project_id, 'w' || n, type, body, published_at, origin, available, revision, status, steps, created_at, updated_at
         from items, generate_series(1, ${MANY}) n where project_id = $1 and id = 'pattern'`,
      [projectId],
    );
    await withoutTriggers(
      database.pool,
      `update items set updated_at = now() - interval '2 hours' where project_id = $1`,
      [projectId],
    );
    await database.pool.query('delete from outbox');
    await database.pool.query('vacuum analyze items');
    const looks: Record<string, (pool: Queryable) => Promise<unknown>> = {
      reconciler: (pool) => listUnfinishedItems(pool, { graceMs: 60_000, after: null, limit: 50, withDeferred: true }),
      depth: (pool) => readQueueDepth(pool, 10_000),
      oldest: (pool) => oldestQueuedSeconds(pool),
      exhausted: (pool) => listProjectsThatWait(pool, monthOf(NOVEMBER)),
    };
    const touched = await Promise.all(
      Object.entries(looks).map(async ([name, look]) => [name, await blocksOf(look)] as const),
    );
    expect(touched.filter(([, blocks]) => !(blocks < FEW_BLOCKS))).toEqual([]);
    await stage.limit(MANY);
    expect(await blocksOf((pool) => listProjectsThatWait(pool, monthOf(NOVEMBER)))).toBeLessThan(FEW_BLOCKS);
    expect(await stage.resume(NOVEMBER, 500)).toBe(500);
  });

  /** Counts the blocks that PostgreSQL touches for the one statement of `look`. */
  async function blocksOf(look: (pool: Queryable) => Promise<unknown>): Promise<number> {
    let blocks = NaN;
    const explain = async (
      statement: string | { text: string; values?: unknown[] },
      values?: unknown[],
    ): Promise<{ rows: unknown[] }> => {
      const { text, values: named } = typeof statement === 'string' ? { text: statement, values } : statement;
      const { rows } = await database.pool.query<Explained>(`explain (analyze, buffers, format json) ${text}`, named);
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      blocks = (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
      return { rows: [] };
    };
    await look({ query: explain } as unknown as Queryable);
    return blocks;
  }
});

interface Explained {
  'QUERY PLAN': { Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }[];
}
