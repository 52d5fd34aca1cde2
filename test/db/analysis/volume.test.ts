import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { planItem } from '../../../db/analysis/plan.ts';
import { recordUsage } from '../../../db/analysis/usage.ts';
import { completeStep, deferStep, doneBy, startStep } from '../../../db/analysis/steps.ts';
import { endMediumStep, storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { closeReservations } from '../../../db/analysis/volume.ts';
import { DEFERRAL_DELAYS_MS } from '../../../domain/analysis/deferral.ts';
import { deleteItem, patchItem, putItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { Analyst, mediaItem, mediaOf, medium, plain, prepared, PROVENANCE } from '../../support/items/items.ts';
import { textItem } from '../../support/project.ts';
import { DECEMBER, NOVEMBER, VolumeStage } from '../../support/items/volume.ts';

const NO_USAGE = { inputTokens: null, outputTokens: null, audioSeconds: null, images: null };
const ERROR = { code: 'provider_refused', message: 'нет' };

let database: TestDatabase;
let stage: VolumeStage;
let projectId: string;
let analyst: Analyst;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  stage = await VolumeStage.open(database.pool);
  projectId = stage.projectId;
  analyst = new Analyst(database.pool, projectId);
});

/** Puts a media item and prepares its media, so that the next steps are speech and vision. */
async function putPrepared(itemId: string, durations: number[]): Promise<string[]> {
  await analyst.put(
    itemId,
    mediaItem(
      'video',
      durations.map((_, index) => medium('video', `${itemId}-${index}`)),
    ),
  );
  await planItem(database.pool, { projectId, itemId }, {});
  const media = await mediaOf(database.pool, projectId, itemId);
  for (const [index, { id: mediumId }] of media.entries()) {
    await storePrepared(
      database.pool,
      { ...(await stage.work(itemId, 'prepare')), mediumId },
      { ...prepared(mediumId), durationSec: durations[index] ?? null },
    );
  }
  return media.map(({ id }) => id);
}

describe('the units of a text', () => {
  // proves: decisions-volume/text
  it.each([
    [0, 0],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [25_000, 25],
  ])('of %i characters are %i', async (length, units) => {
    await stage.put('a', length);
    await stage.plan('a');
    expect(await stage.volume()).toEqual({ used: 0, reserved: units });
  });

  // proves: decisions-volume/text
  it('are counted in code points, over title, description and body', async () => {
    await putItem(database.pool, {
      projectId,
      itemId: 'a',
      content: textItem({ title: '😀'.repeat(500), description: '😀'.repeat(499), body: '😀' }),
      origin: 'api',
      requestId: null,
    });
    await stage.plan('a');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 1 });
  });

  // proves: decisions-volume/settled
  it('are shared by summary and embedding, and counted as used once', async () => {
    await stage.put('a', 1_500);
    await stage.plan('a');
    await stage.plan('a');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 2 });
    await analyst.finish('a', 'summary');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 2 });
    await analyst.finish('a', 'embedding');
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 2, reserved: 0 }, 0]);
    await stage.plan('a');
    expect(await stage.volume()).toEqual({ used: 2, reserved: 0 });
  });

  it('count as used from the first answer of a provider on, whatever the outcome of the step', async () => {
    await stage.put('a');
    await stage.plan('a');
    const summary = await stage.work('a', 'summary');
    await recordUsage(database.pool, summary, PROVENANCE, NO_USAGE);
    await recordUsage(database.pool, summary, PROVENANCE, NO_USAGE);
    expect(await stage.volume()).toEqual({ used: 1, reserved: 0 });
    for (const step of ['summary', 'embedding'] as const)
      await analyst.finish('a', step, { outcome: { state: 'failed', error: ERROR } });
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 1, reserved: 0 }, 0]);
  });

  // proves: decisions-volume/settled
  it('are returned if every step failed without an answer', async () => {
    await stage.put('a');
    await stage.plan('a');
    for (const step of ['summary', 'embedding'] as const)
      await analyst.finish('a', step, { outcome: { state: 'failed', error: ERROR } });
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 0 }, 0]);
  });

  it('are returned when the last of their steps is deferred for the last time, because no plan may follow', async () => {
    await stage.put('a');
    await stage.plan('a');
    await analyst.finish('a', 'summary', { outcome: { state: 'failed', error: ERROR } });
    await database.pool.query(
      `update items set steps = jsonb_set(steps, '{embedding,deferrals}', '${DEFERRAL_DELAYS_MS.length}') where project_id = $1`,
      [projectId],
    );
    expect((await deferStep(database.pool, await stage.work('a', 'embedding'), ERROR))?.steps.embedding.state).toBe(
      'failed',
    );
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 0 }, 0]);
  });

  it('are counted again for a new revision, and those of the outdated one are returned', async () => {
    await stage.put('a');
    await stage.plan('a');
    await patchItem(database.pool, { projectId, itemId: 'a', patch: { body: 'ж'.repeat(2_500) }, requestId: null });
    await stage.plan('a');
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 3 }, 1]);
    await analyst.finish('a', 'summary');
    await analyst.finish('a', 'embedding');
    await reprocessItem(database.pool, { projectId, itemId: 'a', steps: ['embedding'], requestId: null });
    await stage.plan('a');
    expect(await stage.volume()).toEqual({ used: 3, reserved: 3 });
    await analyst.finish('a', 'embedding');
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 6, reserved: 0 }, 0]);
  });

  it('are returned by a deletion, and taken again when the item is restored', async () => {
    await stage.put('a');
    await stage.plan('a');
    await deleteItem(database.pool, { projectId, itemId: 'a' });
    expect(await stage.plan('a')).toBeNull();
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 0 }, 0]);
    await stage.put('a');
    await stage.plan('a');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 1 });
  });

  it('stay reserved while a step is deferred, and belong to the month in which they were taken', async () => {
    await stage.put('a');
    await stage.plan('a');
    await startStep(database.pool, await stage.work('a', 'summary'));
    await deferStep(database.pool, await stage.work('a', 'summary'), ERROR);
    await stage.plan('a', DECEMBER);
    expect([await stage.volume(), await stage.volume(DECEMBER)]).toEqual([
      { used: 0, reserved: 1 },
      { used: 0, reserved: 0 },
    ]);
    await database.pool.query(
      `update items set steps = jsonb_set(steps, '{summary,state}', '"queued"') where project_id = $1`,
      [projectId],
    );
    await analyst.finish('a', 'summary');
    await analyst.finish('a', 'embedding');
    expect([await stage.volume(), await stage.volume(DECEMBER)]).toEqual([
      { used: 1, reserved: 0 },
      { used: 0, reserved: 0 },
    ]);
  });
});

describe('the units of media', () => {
  // proves: decisions-volume/recording
  it('are one per started minute, known after prepare, and shared by speech and vision', async () => {
    await analyst.put('v', mediaItem('video', [medium('video', 'one')], { title: null }));
    await stage.plan('v');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 0 });
    const [mediumId = ''] = (await mediaOf(database.pool, projectId, 'v')).map(({ id }) => id);
    await storePrepared(
      database.pool,
      { ...(await stage.work('v', 'prepare')), mediumId },
      { ...prepared(mediumId), durationSec: 60.5 },
    );
    await stage.plan('v');
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 2 }, 1]);
    await analyst.doMedium({ ...(await stage.work('v', 'speech')), mediumId });
    await stage.plan('v');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 2 });
    await analyst.doMedium({ ...(await stage.work('v', 'vision')), mediumId });
    await stage.plan('v');
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 2, reserved: 0 }, 0]);
  });

  // proves: decisions-volume/recording
  it('are those of the time that is analysed, however long the medium claims to be', async () => {
    await putPrepared('v', [180 * 86_400, 1e15]);
    await stage.plan('v');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 480 });
  });

  // proves: decisions-volume/image
  it('are one for an image, which has no speech', async () => {
    await analyst.put('i', mediaItem('image', [medium('image', 'one')], { title: null }));
    await stage.plan('i');
    const [{ id: mediumId } = { id: '' }] = await mediaOf(database.pool, projectId, 'i');
    await storePrepared(
      database.pool,
      { ...(await stage.work('i', 'prepare')), mediumId },
      { ...prepared(mediumId), durationSec: null, audioKey: null },
    );
    await stage.plan('i');
    await analyst.doMedium({ ...(await stage.work('i', 'vision')), mediumId });
    await stage.plan('i');
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 1, reserved: 0 }, 0]);
  });

  it('are returned for a medium that was skipped or removed', async () => {
    const [first = '', second = ''] = await putPrepared('v', [30, 90]);
    await stage.plan('v');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 3 });
    for (const step of ['speech', 'vision'] as const)
      await endMediumStep(database.pool, { ...(await stage.work('v', step)), step, mediumId: first }, 'skipped', ERROR);
    await stage.plan('v');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 2 });
    expect(second).not.toBe('');
    await patchItem(database.pool, {
      projectId,
      itemId: 'v',
      patch: { media: [medium('video', 'v-0')] },
      requestId: null,
    });
    await stage.plan('v');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 1 });
    expect(plain((await stage.look('v')).steps)).toMatchObject({ speech: 'skipped', summary: 'queued' });
  });

  it('are reserved for all media of the next steps or for none', async () => {
    await stage.limit(2);
    await putPrepared('v', [30, 90]);
    await stage.plan('v');
    expect(await stage.volume()).toEqual({ used: 0, reserved: 0 });
    expect(await stage.states('v')).toMatchObject({
      prepare: 'done',
      speech: 'waiting',
      vision: 'waiting',
      summary: 'queued',
      embedding: 'queued',
    });
    expect([(await stage.look('v')).status, await stage.flags('v')]).toEqual([
      'processing',
      { waiting: true, units: 3 },
    ]);
  });

  it('allow a step that has its units to continue while another waits', async () => {
    await stage.limit(1);
    const [mediumId = ''] = await putPrepared('v', [30]);
    await stage.plan('v');
    await startStep(database.pool, await stage.work('v', 'vision'));
    await reprocessItem(database.pool, { projectId, itemId: 'v', steps: ['speech'], requestId: null });
    const after = await planItem(database.pool, { projectId, itemId: 'v' }, { vision: 1 }, { now: NOVEMBER });
    expect(plain(after?.steps ?? (await stage.look('v')).steps)).toMatchObject({
      speech: 'waiting',
      vision: 'running',
    });
    expect(await stage.flags('v')).toEqual({ waiting: false, units: 1 });
    await analyst.doMedium({ ...(await stage.work('v', 'vision')), mediumId });
    await stage.plan('v');
    expect(await stage.flags('v')).toEqual({ waiting: true, units: 1 });
  });
});

describe('the last unit', () => {
  // proves: decisions-volume/reserved
  it('is taken by only one of many that want it at once', async () => {
    await stage.limit(7);
    const ids = Array.from({ length: 20 }, (_, index) => `i${index}`);
    for (const id of ids) await stage.put(id);
    await Promise.all(ids.map((id) => stage.plan(id)));
    const after = await Promise.all(ids.map((id) => stage.states(id)));
    expect(after.filter(({ summary }) => summary === 'queued')).toHaveLength(7);
    expect(after.filter(({ summary }) => summary === 'waiting')).toHaveLength(13);
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 7 }, 7]);
  });

  // proves: decisions-volume/reserved
  it('is taken once by many plans of one item', async () => {
    await stage.limit(1);
    await stage.put('a');
    await Promise.all(Array.from({ length: 8 }, () => stage.plan('a')));
    expect([await stage.volume(), await stage.held()]).toEqual([{ used: 0, reserved: 1 }, 1]);
    expect(await stage.states('a')).toMatchObject({ summary: 'queued' });
  });

  // proves: decisions-volume/settled
  it('is accounted for even if plans, answers, ends of steps, rewrites and deletions coincide', async () => {
    await stage.limit(12);
    const ids = Array.from({ length: 12 }, (_, index) => `i${index}`);
    for (const id of ids) await stage.put(id);
    await Promise.all(
      ids.flatMap((id, index) => [
        stage.plan(id).then(async () => {
          const summary = await stage.work(id, 'summary');
          await Promise.all([
            recordUsage(database.pool, summary, PROVENANCE, NO_USAGE),
            completeStep(database.pool, summary, doneBy('fake/1')),
            stage.plan(id),
          ]);
        }),
        ...(index % 3 === 0
          ? [patchItem(database.pool, { projectId, itemId: id, patch: { body: 'другой' }, requestId: null })]
          : []),
        ...(index % 4 === 0 ? [deleteItem(database.pool, { projectId, itemId: id })] : []),
      ]),
    );
    await Promise.all(ids.map((id) => stage.plan(id)));
    const { rows } = await database.pool.query<{ units: number }>(
      'select coalesce(sum(units) filter (where not settled), 0)::int as units from volume_reservations where project_id = $1',
      [projectId],
    );
    expect((await stage.volume()).reserved).toBe(rows[0]?.units);
    for (const id of ids) {
      if ((await stage.plan(id)) === null) continue;
      for (const step of ['summary', 'embedding'] as const) await analyst.finish(id, step);
    }
    expect((await stage.volume()).reserved).toBe(0);
  });
});

describe('the months of one item', () => {
  const MONTHS = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}-01`);

  /** Reserves a text's units in each month, the last month first. */
  async function holdAllMonths(): Promise<void> {
    await stage.put('a');
    await database.pool.query(
      `with months as (select m::date as month, n from unnest($2::text[]) with ordinality as t (m, n)),
            volumes as (insert into analysis_volume (project_id, month, reserved) select $1, month, 1 from months order by n desc)
       insert into volume_reservations (project_id, item_id, subject, revision, month, units) select $1, 'a', '', 100 - n, month, 1 from months`,
      [projectId, MONTHS],
    );
  }

  it('are locked from the earliest on, so that two items cannot deadlock', async () => {
    await holdAllMonths();
    const holder = await database.pool.connect();
    const lockMonth = 'select from analysis_volume where project_id = $1 and month = $2::date for update nowait';
    try {
      await holder.query('begin');
      await holder.query(lockMonth, [projectId, MONTHS[0]]);
      const over = MONTHS.map((_, index) => ({
        subject: '',
        revision: 99 - index,
        settled: false,
        isDone: index % 2 === 0,
      }));
      const closing = closeReservations(database.pool, { projectId, itemId: 'a' }, over);
      await eventually(
        async () =>
          (
            await database.pool.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rowCount === 1,
        'the first month to be waited for',
      );
      for (const month of MONTHS.slice(1)) await holder.query(lockMonth, [projectId, month]);
      await holder.query('commit');
      await closing;
    } finally {
      holder.release();
    }
    const { rows } = await database.pool.query(
      'select reserved::int, used::int from analysis_volume where project_id = $1 order by month',
      [projectId],
    );
    expect(rows).toEqual(MONTHS.map((_, index) => ({ reserved: 0, used: index % 2 === 0 ? 1 : 0 })));
  });
});
