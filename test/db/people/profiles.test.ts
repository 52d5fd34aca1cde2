import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeProfiles } from '../../../db/people/profiles.ts';
import { openTraining } from '../../../db/training/models.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, by, sent, take } from '../../support/events.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('a batch takes out of the models only those whose last decision is against personalization', async () => {
  const { pool } = database;
  const projectId = await createTestProject(pool);
  await addItems(pool, projectId, ['a', 'b', 'c']);
  await take(pool, projectId, [
    sent({ item: 'a', ...by('out') }),
    sent({ item: 'b', ...by('back') }),
    sent({ item: 'c', ...by('in') }),
  ]);
  await openTraining(pool, { projectId, kind: 'full', requestId: null });
  const decisions: [string, boolean][] = [
    ['out', false],
    ['back', false],
    ['back', true],
    ['in', true],
  ];
  const writes = decisions.map(([externalId, personalization]) => ({
    identifier: { kind: 'user' as const, externalId },
    seenOn: null,
    change: { personalization },
  }));
  await writeProfiles(pool, projectId, writes, new Date());
  const { rows } = await pool.query('select item_id from output_forgotten where project_id = $1', [projectId]);
  expect(rows).toEqual([{ item_id: 'a' }]);
});
