import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { listEventTypes } from '../../../db/events/eventTypes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, readFacts, readStates, sent, take } from '../../support/people/events.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  await addItems(database.pool, projectId, ['a']);
});

const used = async (): Promise<string[]> =>
  (await listEventTypes(database.pool, projectId)).filter(({ inUse }) => inUse).map(({ code }) => code);

it('accepted events fix the mode of their types, and rejected ones do not', async () => {
  const outcome = await take(database.pool, projectId, [
    sent({ type: 'open' }),
    sent({ type: 'share', item: 'nobody' }),
    sent({ type: 'nothing' }),
  ]);
  expect(outcome).toMatchObject({ accepted: 1, rejected: [{ code: 'unknown_item' }, { code: 'unknown_type' }] });
  expect(await used()).toEqual(['open']);
});

it('the first event is stored with the mode that a concurrent change leaves', async () => {
  const cabinet = await database.pool.connect();
  try {
    await cabinet.query('begin');
    await cabinet.query(`update event_types set mode = 'state' where project_id = $1 and code = 'share'`, [projectId]);
    const taking = take(database.pool, projectId, [sent({ type: 'share' })]);
    await eventually(
      async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount === 1,
      'the event to wait for the change',
    );
    await cabinet.query('commit');
    expect(await taking).toMatchObject({ accepted: 1 });
  } finally {
    cabinet.release();
  }
  expect([await readFacts(database.pool, projectId), await readStates(database.pool, projectId)]).toMatchObject([
    [],
    [{ type: 'share', value: 1 }],
  ]);
});
