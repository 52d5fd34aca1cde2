import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCurrentModels, recordModels } from '../../../db/analysis/stepModels.ts';
import { inTransaction } from '../../../db/pool.ts';
import { mapSteps } from '../../../domain/analysis/steps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';

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
});
