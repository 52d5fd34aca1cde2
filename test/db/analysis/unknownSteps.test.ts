/** Items older than a step, and the database's own knowledge of the steps. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { planItem } from '../../../db/analysis/plan.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { searchItems } from '../../../db/items/cabinetList.ts';
import { patchItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { openRerun, rerunPage } from '../../../db/reruns/reruns.ts';
import { recordModels } from '../../../db/analysis/stepModels.ts';
import {
  COUNTED_MEDIA_STEPS,
  COUNTED_TEXT_STEPS,
  DEPENDENCIES,
  MEDIA_STEPS,
  STEPS,
  mapSteps,
  type Step,
} from '../../../domain/analysis/steps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Analyst, mediaItem, medium, plain, snapshot } from '../../support/items/items.ts';
import { createTestProject } from '../../support/project.ts';

const NOTHING = { transcript: false, frames: false, searchChunks: false };
const SEARCH = {
  status: null,
  type: null,
  origin: null,
  available: null,
  deleted: null,
  moderation: null,
  step: null,
  code: null,
  text: null,
  before: null,
  limit: 10,
};

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => database.drop());

/** Returns an analysed item whose records lack the step vision. */
async function itemWithoutVision(itemId: string) {
  await analyst.put(itemId, mediaItem('video', [medium('video', itemId)]));
  await analyst.analyse(itemId);
  await database.pool.query(`update items set steps = steps - 'vision' where project_id = $1 and id = $2`, [
    projectId,
    itemId,
  ]);
  return { projectId, itemId };
}

it('steps without a record are read, found and planned as if they had been skipped', async () => {
  const ref = await itemWithoutVision('read');
  const states = { prepare: 'done', speech: 'done', vision: 'skipped', summary: 'done', embedding: 'done' };
  expect(await readItem(database.pool, projectId, 'read', NOTHING)).toMatchObject({
    status: 'ready',
    processing: states,
    processingErrors: {},
  });
  expect((await searchItems(database.pool, projectId, SEARCH)).items).toMatchObject([{ processing: states }]);
  expect(await startStep(database.pool, { ...ref, step: 'vision', revision: 1 })).toBe(false);
  await planItem(database.pool, ref, {});
  expect(await snapshot(database.pool, projectId, 'read')).toMatchObject({ status: 'ready' });
});

it('steps without a record run after the next change that affects them, or a reprocess', async () => {
  const patched = await itemWithoutVision('patched');
  await patchItem(database.pool, {
    ...patched,
    patch: { media: [{ kind: 'video', url: 'https://media.test/other', version: null }] },
    requestId: null,
  });
  const asked = await itemWithoutVision('asked');
  await reprocessItem(database.pool, { ...asked, steps: ['vision'], requestId: null });
  for (const itemId of ['patched', 'asked']) {
    expect(plain((await snapshot(database.pool, projectId, itemId)).steps)).toMatchObject({ vision: 'queued' });
    await analyst.analyse(itemId);
    expect(await snapshot(database.pool, projectId, itemId)).toMatchObject({ status: 'ready' });
  }
});

it('steps without a record are rerun like others', async () => {
  await itemWithoutVision('rerun');
  const rerun = await openRerun(database.pool, {
    projectId,
    filter: { status: null, steps: ['vision'] },
    requestId: null,
  });
  if (typeof rerun === 'string') throw new Error(rerun);
  await rerunPage(database.pool, projectId, rerun.id, { itemsPerSecond: 100, roundPauseMs: 0 });
  expect(plain((await snapshot(database.pool, projectId, 'rerun')).steps)).toMatchObject({ vision: 'queued' });
});

it('the database has a model, columns and waiting units for every step', async () => {
  await expect(
    recordModels(
      database.pool,
      mapSteps((step) => `${step}/1`),
    ),
  ).resolves.toEqual([]);
  const { rows: models } = await database.pool.query('select step from step_models');
  expect(models).toHaveLength(STEPS.length);
  await database.pool.query(`select ${MEDIA_STEPS.join(', ')} from item_media`);
  for (const step of [...COUNTED_MEDIA_STEPS, ...COUNTED_TEXT_STEPS]) {
    const ref = await itemWithoutVision(`waiting-${step}`);
    // An item that is older than every other step added since the first release.
    await database.pool.query(
      `update items set steps = (select jsonb_object_agg(key, value) from jsonb_each(steps) where key = any($4))
                                || jsonb_build_object($3::text, '{"state": "waiting", "units": 7}'::jsonb)
        where project_id = $1 and id = $2`,
      [projectId, ref.itemId, step, ['prepare', 'speech', 'summary', 'embedding']],
    );
    const { rows } = await database.pool.query(
      'select waiting, waiting_units from items where project_id = $1 and id = $2',
      [projectId, ref.itemId],
    );
    expect({ step, ...rows[0] }).toEqual({ step, waiting: true, waiting_units: 7 });
  }
});

/** Returns true when a step reads the result of another one, directly or not. */
const readsFrom = (step: Step, other: Step): boolean =>
  DEPENDENCIES[step].some((read) => read === other || readsFrom(read, other));
const INDEPENDENT = STEPS.flatMap((step) =>
  [...COUNTED_MEDIA_STEPS, ...COUNTED_TEXT_STEPS]
    .filter((other) => other !== step && !readsFrom(step, other))
    .map((other) => [step, other] as const),
);

it.each(INDEPENDENT)('an item is not waiting while its step %s can run, although %s waits', async (queued, waiting) => {
  const itemId = `${queued}-${waiting}`;
  await analyst.put(itemId, mediaItem('video', [medium('video', itemId)]));
  const { rows } = await database.pool.query<{ waiting: boolean }>(
    `update items set steps = (select jsonb_object_agg(key, value || jsonb_build_object(
              'state', case key when $3::text then 'queued' when $4::text then 'waiting' else 'done' end, 'units', 1)) from jsonb_each(steps))
      where project_id = $1 and id = $2 returning waiting`,
    [projectId, itemId, queued, waiting],
  );
  expect(rows).toEqual([{ waiting: false }]);
});

it('the indexes of the generated columns exist: dropping a column drops them silently', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select indexname as name from pg_indexes where tablename = 'items' and indexdef like '%waiting%' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(['items_unfinished', 'items_waiting']);
});
