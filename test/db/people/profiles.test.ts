import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeProfiles } from '../../../db/people/profiles.ts';
import { openTraining } from '../../../db/training/models.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addItems, by, sent, take } from '../../support/people/events.ts';
import { link } from '../../support/people/people.ts';
import { createTestProject } from '../../support/project.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Applies decisions about personalization as one batch. */
function decide(projectId: string, decisions: readonly [externalId: string, personalization: boolean][]) {
  const writes = decisions.map(([externalId, personalization]) => ({
    identifier: { kind: 'user' as const, externalId },
    seenOn: null,
    change: { personalization },
  }));
  return writeProfiles(database.pool, projectId, writes, new Date());
}

/** Creates a project with a training under way and one item that each of the people has opened. */
async function trainedOn(opened: Record<string, string>): Promise<string> {
  const { pool } = database;
  const projectId = await createTestProject(pool);
  await addItems(pool, projectId, Object.values(opened));
  await take(
    pool,
    projectId,
    Object.entries(opened).map(([person, item]) => sent({ item, ...by(person) })),
  );
  await openTraining(pool, { projectId, kind: 'full', requestId: null });
  return projectId;
}

async function forgottenOf(projectId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ item: string }>(
    'select item_id as item from output_forgotten where project_id = $1',
    [projectId],
  );
  return rows.map(({ item }) => item).toSorted();
}

it('a batch takes out of the models only those whose last decision is against personalization', async () => {
  const projectId = await trainedOn({ out: 'a', back: 'b', in: 'c' });
  await decide(projectId, [
    ['out', false],
    ['back', false],
    ['back', true],
    ['in', true],
  ]);
  expect(await forgottenOf(projectId)).toEqual(['a']);
});

it('many who withdraw at once are locked in small groups, and all are taken out of the models', async () => {
  const people = Array.from({ length: 25 }, (_, n) => `u-${n}`);
  const projectId = await trainedOn(Object.fromEntries(people.map((person) => [person, `item-${person}`])));
  const updated = await decide(projectId, [['first', true], ...people.map((id): [string, boolean] => [id, false])]);
  expect(updated).toEqual(Array.from({ length: 26 }, () => ['personalization']));
  expect(await forgottenOf(projectId)).toEqual(people.map((person) => `item-${person}`).toSorted());
  const { rows } = await database.pool.query<{ transactions: number }>(
    'select count(distinct xmin::text)::int as transactions from profiles where project_id = $1',
    [projectId],
  );
  expect(rows).toEqual([{ transactions: 3 }]);
  expect(await decide(projectId, [])).toEqual([]);
});

it('a repeated link takes the history out of the models if the device has withdrawn in the meantime', async () => {
  const projectId = await trainedOn({ u: 'a', other: 'b' });
  const people = { pool: database.pool, projectId };
  await link(people, 'u', 'd');
  await writeProfiles(
    database.pool,
    projectId,
    [{ identifier: { kind: 'anonymous', externalId: 'd' }, seenOn: null, change: { personalization: false } }],
    new Date(),
  );
  expect(await forgottenOf(projectId)).toEqual([]);
  await link(people, 'u', 'd');
  expect(await forgottenOf(projectId)).toEqual(['a']);
  await link(people, 'u', 'd');
  expect(await forgottenOf(projectId)).toEqual(['a']);
});
