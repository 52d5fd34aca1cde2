/** The counts of items that triggers maintain, compared with a full count. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { planItem } from '../../../db/analysis/plan.ts';
import { listOldestUnfinished } from '../../../db/items/oldestUnfinished.ts';
import {
  addUpTallies,
  countProject,
  deleteOldItemHours,
  isCounted,
  listUncountedProjects,
  readItemHours,
  readItemTallies,
} from '../../../db/items/tallies.ts';
import { deleteItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { addUpItems } from '../../../loops/relay/tallies.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Analyst, mediaItem, medium } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  for (const table of ['item_tally_changes', 'item_tallies', 'item_hours'])
    await database.pool.query(`delete from ${table}`);
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});

/** Counts what the tallies must contain. */
async function counted() {
  const { rows } = await database.pool.query(
    `select step, state, code, sum(items)::int as items from (
       select '' as step, case when deleted then 'deleted' else status end as state, '' as code, 1 as items from items where project_id = $1
        union all
       select s.key, s.value ->> 'state', case when s.value ->> 'state' in ('failed', 'deferred', 'skipped') then coalesce(s.value #>> '{error,code}', '') else '' end, 1
         from items, jsonb_each(steps) s where project_id = $1 and not deleted) c
      group by 1, 2, 3 order by items desc, step, state, code`,
    [projectId],
  );
  return rows;
}

const tallies = () => readItemTallies(database.pool, projectId);

/** Brings items into all states that writes and results can cause. */
async function work(): Promise<void> {
  await analyst.put('waits', textItem());
  await analyst.put('video', mediaItem('video', [medium('video', 'a')]));
  await analyst.analyse('video');
  for (const id of ['fails', 'fails-too', 'comes-back', 'gone']) {
    await analyst.put(id, textItem());
    await planItem(database.pool, { projectId, itemId: id }, {});
    await analyst.finish(id, 'summary', {
      outcome: { state: 'failed', error: { code: 'provider_refused', message: '' } },
    });
    await analyst.finish(id, 'embedding');
  }
  await reprocessItem(database.pool, { projectId, itemId: 'comes-back', steps: ['summary'], requestId: null });
  await deleteItem(database.pool, { projectId, itemId: 'gone', requestId: null });
}

describe('the tallies', () => {
  it('match a full count at any moment, however often they are added up', async () => {
    await work();
    expect(await tallies()).toEqual(await counted());
    expect(await tallies()).toContainEqual({ step: 'summary', state: 'failed', code: 'provider_refused', items: 2 });
    expect(await tallies()).toContainEqual({ step: '', state: 'deleted', code: '', items: 1 });
    expect(await addUpTallies(database.pool, 3)).toBe(3);
    expect(await tallies()).toEqual(await counted());
    await addUpItems(database.pool);
    expect(await tallies()).toEqual(await counted());
    await analyst.put('gone', textItem({ title: 'Снова' }));
    await database.pool.query(`delete from items where project_id = $1 and id = 'waits'`, [projectId]);
    expect(await tallies()).toEqual(await counted());
    await addUpItems(database.pool);
    expect(await tallies()).toEqual(await counted());
    expect((await database.pool.query('select from item_tally_changes')).rowCount).toBe(0);
  });

  it('leave out a change that is rolled back', async () => {
    await work();
    const before = await tallies();
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query(`update items set status = 'failed' where project_id = $1`, [projectId]);
    await client.query('rollback');
    client.release();
    expect(await tallies()).toEqual(before);
  });

  it('begin with a count of the existing items, which blocks nobody', async () => {
    await database.pool.query('alter table items disable trigger user');
    await work();
    await database.pool.query('alter table items enable trigger user');
    await database.pool.query('insert into uncounted_projects values ($1)', [projectId]);
    expect(await isCounted(database.pool, projectId)).toBe(false);
    await analyst.put('new', textItem());
    // A write in an open transaction is counted later, from the row that it adds to item_tally_changes.
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query(`update items set status = 'failed' where project_id = $1 and id = 'video'`, [projectId]);
    expect(await addUpTallies(database.pool, 100)).toBe(0);
    expect(await listUncountedProjects(database.pool)).toEqual([projectId]);
    await countProject(database.pool, projectId);
    expect(await tallies()).toEqual(await counted());
    await client.query('commit');
    client.release();
    expect(await isCounted(database.pool, projectId)).toBe(true);
    expect(await tallies()).toEqual(await counted());
    await addUpItems(database.pool);
    expect(await tallies()).toEqual(await counted());
  });
});

describe('the hourly figures', () => {
  it('show how many analyses began and how they ended', async () => {
    await work();
    // Six items, one of them twice; the video is ready, four texts were partial.
    const expected = [{ hour: expect.any(Date), queued: 7, ready: 1, partial: 4, failed: 0 }];
    expect(await readItemHours(database.pool, projectId)).toEqual(expected);
    await addUpItems(database.pool);
    expect(await readItemHours(database.pool, projectId)).toEqual(expected);
  });

  it('are forgotten after two weeks', async () => {
    await work();
    await addUpItems(database.pool);
    await database.pool.query(`update item_hours set hour = hour - interval '15 days' where status = 'ready'`);
    expect(await deleteOldItemHours(database.pool, 100)).toBe(1);
    expect(await readItemHours(database.pool, projectId)).toMatchObject([{ queued: 7, ready: 0 }]);
  });
});

it('the items that have waited longest come first, and their own index finds them', async () => {
  await work();
  expect((await listOldestUnfinished(database.pool, projectId, 2)).map(({ id }) => id)).toEqual([
    'waits',
    'comes-back',
  ]);
  await database.pool.query('set enable_seqscan = off');
  const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(
    `explain select id from items where project_id = 'a' and status in ('queued', 'processing', 'deferred') and not deleted order by updated_at, id limit 2`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('items_unfinished_of_project');
});
