import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCurrentModels, recordModels } from '../../../db/analysis/stepModels.ts';
import { deleteItem, writeItems } from '../../../db/items/writeItems.ts';
import { inTransaction } from '../../../db/pool.ts';
import { rerunPage } from '../../../db/reruns/reruns.ts';
import { mapSteps } from '../../../domain/analysis/steps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { Analyst } from '../../support/items/items.ts';
import { countLockWaits, untilWaiting } from '../../support/lockWaits.ts';
import { createTestProject, textItem } from '../../support/project.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const modelsOf = (model: string) => mapSteps(() => model);

describe('a change of several models', () => {
  it('does not deadlock with the restoration of an item, which reads all of them', async () => {
    const { pool } = database;
    await recordModels(pool, modelsOf('first'));
    const other = await pool.connect();
    await other.query('begin');
    await other.query(`select from step_models where step = 'summary' for update`);
    const recorded = recordModels(pool, modelsOf('second'));
    await untilWaiting(pool, 1);
    const read = inTransaction(pool, readCurrentModels);
    await untilWaiting(pool, 2);
    await other.query('commit');
    other.release();
    expect(await Promise.all([recorded, read])).toEqual([
      ['prepare', 'speech', 'vision', 'summary', 'embedding'],
      modelsOf('second'),
    ]);
  });

  it('does not deadlock with a page of a rerun and a batch that restores an item', async () => {
    const { pool } = database;
    await recordModels(pool, FAKE_MODELS);
    const projectId = await createTestProject(pool);
    const analyst = new Analyst(pool, projectId);
    for (const id of ['a', 'b', 'gone']) {
      await analyst.put(id, textItem());
      await analyst.analyse(id);
    }
    await deleteItem(pool, { projectId, itemId: 'gone' });
    await recordModels(pool, { ...FAKE_MODELS, embedding: 'fake/2' });
    const { rows } = await pool.query<{ id: string }>(
      `select id from reruns where project_id = $1 and state = 'running'`,
      [projectId],
    );
    const other = await pool.connect();
    await other.query('begin');
    await other.query(`select from items where project_id = $1 and id = 'a' for update`, [projectId]);
    const page = rerunPage(pool, projectId, rows[0]?.id ?? '', { itemsPerSecond: 100, roundPauseMs: 1 });
    await untilWaiting(pool, 1);
    const recorded = recordModels(pool, { ...FAKE_MODELS, embedding: 'fake/3' });
    await untilWaiting(pool, 2);
    let isWritten = false;
    const written = writeItems(pool, { projectId, origin: 'api', priority: 1, requestId: null }, [
      { op: 'put', id: 'b', content: textItem({ title: 'another' }) },
      { op: 'put', id: 'gone', content: textItem() },
    ]).finally(() => (isWritten = true));
    await eventually(async () => isWritten || (await countLockWaits(pool)) === 3, 'the end of the write, or its wait');
    await other.query('commit');
    other.release();
    const [paged, changed, results] = await Promise.all([page, recorded, written]);
    expect([paged.seen, changed, results.length]).toEqual([3, ['embedding'], 2]);
  });

  it('does not deadlock with another change that finds a newer rerun', async () => {
    const { pool } = database;
    await recordModels(pool, modelsOf('first'));
    await pool.query(`update reruns set state = 'done' where state = 'running'`);
    const projectId = await createTestProject(pool);
    const other = await pool.connect();
    await other.query('begin');
    await other.query('lock table step_models in share row exclusive mode');
    const second = recordModels(pool, modelsOf('second'));
    await untilWaiting(pool, 1);
    await pool.query(
      `insert into reruns (project_id, reason, filter) values ($1, 'model', '{"models": {"summary": "first"}}')`,
      [projectId],
    );
    const third = recordModels(pool, modelsOf('third'));
    await untilWaiting(pool, 2);
    await other.query('commit');
    other.release();
    const all = ['prepare', 'speech', 'vision', 'summary', 'embedding'];
    expect(await Promise.all([second, third])).toEqual([all, all]);
  });
});
