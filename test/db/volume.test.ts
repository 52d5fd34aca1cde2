import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { planItem } from '../../db/analysis/plan.ts';
import { recordUsage } from '../../db/analysis/evidence.ts';
import { completeStep, deferStep, doneBy, startStep } from '../../db/analysis/steps.ts';
import { endMediumStep, storePrepared } from '../../db/analysis/media.ts';
import { listUnfinishedItems } from '../../db/reconcile.ts';
import { deleteItem, patchItem, putItem, reprocessItem } from '../../db/items/write.ts';
import { readQueueDepth } from '../../db/serviceReports.ts';
import { updateProject } from '../../db/projects.ts';
import { listProjectsThatWait, resumeItems } from '../../db/volume.ts';
import type { ItemPlan } from '../../domain/workflowMessages.ts';
import type { Step } from '../../domain/steps.ts';
import { monthOf } from '../../domain/volume.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Analyst, mediaItem, mediaOf, medium, plain, prepared, PROVENANCE, snapshot } from '../support/items.ts';
import { createTestProject, textItem } from '../support/project.ts';

const NOVEMBER = new Date('2026-11-21T12:00:00Z');
const DECEMBER = new Date('2026-12-01T12:00:00Z');
const NO_USAGE = { inputTokens: null, outputTokens: null, audioSeconds: null, images: null };
const ERROR = { code: 'provider_refused', message: 'нет' };

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});

const limit = (monthlyVolume: number | null) => updateProject(database.pool, projectId, { monthlyVolume });
const put = (itemId: string, length = 10) => putItem(database.pool, { projectId, itemId, content: textItem({ title: null, body: 'ж'.repeat(length) }), origin: 'api', requestId: null });
const plan = (itemId: string, now = NOVEMBER): Promise<ItemPlan | null> => planItem(database.pool, { projectId, itemId }, {}, { now });
const states = async (itemId: string) => plain((await snapshot(database.pool, projectId, itemId)).steps);
const work = async <S extends Step>(itemId: string, step: S) => ({ projectId, itemId, step, revision: (await snapshot(database.pool, projectId, itemId)).steps[step].revision });

async function volume(month = monthOf(NOVEMBER)): Promise<{ used: number; reserved: number }> {
  const { rows } = await database.pool.query<{ used: number; reserved: number }>(
    'select used::int, reserved::int from analysis_volume where project_id = $1 and month = $2', [projectId, month]);
  return rows[0] ?? { used: 0, reserved: 0 };
}

async function held(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int from volume_reservations where project_id = $1', [projectId]);
  return rows[0]?.count ?? 0;
}

async function flags(itemId: string): Promise<{ waiting: boolean; units: number | null }> {
  const { rows } = await database.pool.query<{ waiting: boolean; units: number | null }>(
    'select waiting, waiting_units as units from items where project_id = $1 and id = $2', [projectId, itemId]);
  return rows[0] ?? { waiting: false, units: null };
}

/** Puts a medium item and prepares its media, so that speech and vision are next. */
async function putPrepared(itemId: string, durations: number[]): Promise<string[]> {
  await analyst.put(itemId, mediaItem('video', durations.map((_, index) => medium('video', `${itemId}-${index}`))));
  await planItem(database.pool, { projectId, itemId }, {});
  const media = await mediaOf(database.pool, projectId, itemId);
  for (const [index, { id: mediumId }] of media.entries()) {
    await storePrepared(database.pool, { ...(await work(itemId, 'prepare')), mediumId }, { ...prepared(mediumId), durationSec: durations[index] ?? null });
  }
  return media.map(({ id }) => id);
}

describe('the units of a text', () => {
  it.each([[0, 0], [1, 1], [1_000, 1], [1_001, 2], [25_000, 25]])('of %i characters are %i', async (length, units) => {
    await put('a', length);
    await plan('a');
    expect(await volume()).toEqual({ used: 0, reserved: units });
  });

  it('are counted in code points, over title, description and body', async () => {
    await putItem(database.pool, { projectId, itemId: 'a', content: textItem({ title: '😀'.repeat(500), description: '😀'.repeat(499), body: '😀' }), origin: 'api', requestId: null });
    await plan('a');
    expect(await volume()).toEqual({ used: 0, reserved: 1 });
  });

  it('are shared by summary and embedding, and counted as used once', async () => {
    await put('a', 1_500);
    await plan('a');
    await plan('a');
    expect(await volume()).toEqual({ used: 0, reserved: 2 });
    await analyst.finish('a', 'summary');
    expect(await volume()).toEqual({ used: 0, reserved: 2 });
    await analyst.finish('a', 'embedding');
    expect([await volume(), await held()]).toEqual([{ used: 2, reserved: 0 }, 0]);
    await plan('a');
    expect(await volume()).toEqual({ used: 2, reserved: 0 });
  });

  it('are used with the first answer of a provider, whatever comes of the step', async () => {
    await put('a');
    await plan('a');
    const summary = await work('a', 'summary');
    await recordUsage(database.pool, summary, PROVENANCE, NO_USAGE);
    await recordUsage(database.pool, summary, PROVENANCE, NO_USAGE);
    expect(await volume()).toEqual({ used: 1, reserved: 0 });
    for (const step of ['summary', 'embedding'] as const) await analyst.finish('a', step, { outcome: { state: 'failed', error: ERROR } });
    expect([await volume(), await held()]).toEqual([{ used: 1, reserved: 0 }, 0]);
  });

  it('go back when every step failed without an answer', async () => {
    await put('a');
    await plan('a');
    for (const step of ['summary', 'embedding'] as const) await analyst.finish('a', step, { outcome: { state: 'failed', error: ERROR } });
    expect([await volume(), await held()]).toEqual([{ used: 0, reserved: 0 }, 0]);
  });

  it('are counted again for a new revision, and those of the outdated one go back', async () => {
    await put('a');
    await plan('a');
    await patchItem(database.pool, { projectId, itemId: 'a', patch: { body: 'ж'.repeat(2_500) }, requestId: null });
    await plan('a');
    expect([await volume(), await held()]).toEqual([{ used: 0, reserved: 3 }, 1]);
    await analyst.finish('a', 'summary');
    await analyst.finish('a', 'embedding');
    await reprocessItem(database.pool, { projectId, itemId: 'a', steps: ['embedding'], requestId: null });
    await plan('a');
    expect(await volume()).toEqual({ used: 3, reserved: 3 });
    await analyst.finish('a', 'embedding');
    expect([await volume(), await held()]).toEqual([{ used: 6, reserved: 0 }, 0]);
  });

  it('go back with a deletion, and are taken again when the item comes back', async () => {
    await put('a');
    await plan('a');
    await deleteItem(database.pool, { projectId, itemId: 'a' });
    expect(await plan('a')).toBeNull();
    expect([await volume(), await held()]).toEqual([{ used: 0, reserved: 0 }, 0]);
    await put('a');
    await plan('a');
    expect(await volume()).toEqual({ used: 0, reserved: 1 });
  });

  it('stay held while a step is put off, and belong to the month in which they were taken', async () => {
    await put('a');
    await plan('a');
    await startStep(database.pool, await work('a', 'summary'));
    await deferStep(database.pool, await work('a', 'summary'), ERROR);
    await plan('a', DECEMBER);
    expect([await volume(), await volume(monthOf(DECEMBER))]).toEqual([{ used: 0, reserved: 1 }, { used: 0, reserved: 0 }]);
    await database.pool.query(`update items set steps = jsonb_set(steps, '{summary,state}', '"queued"') where project_id = $1`, [projectId]);
    await analyst.finish('a', 'summary');
    await analyst.finish('a', 'embedding');
    expect([await volume(), await volume(monthOf(DECEMBER))]).toEqual([{ used: 1, reserved: 0 }, { used: 0, reserved: 0 }]);
  });
});

describe('the units of media', () => {
  it('are those of each started minute, known after prepare, and shared by speech and vision', async () => {
    await analyst.put('v', mediaItem('video', [medium('video', 'one')], { title: null }));
    await plan('v');
    expect(await volume()).toEqual({ used: 0, reserved: 0 });
    const [mediumId = ''] = (await mediaOf(database.pool, projectId, 'v')).map(({ id }) => id);
    await storePrepared(database.pool, { ...(await work('v', 'prepare')), mediumId }, { ...prepared(mediumId), durationSec: 60.5 });
    await plan('v');
    expect([await volume(), await held()]).toEqual([{ used: 0, reserved: 2 }, 1]);
    await analyst.doMedium({ ...(await work('v', 'speech')), mediumId });
    await plan('v');
    expect(await volume()).toEqual({ used: 0, reserved: 2 });
    await analyst.doMedium({ ...(await work('v', 'vision')), mediumId });
    await plan('v');
    expect([await volume(), await held()]).toEqual([{ used: 2, reserved: 0 }, 0]);
  });

  it('are one for an image, whose speech has nothing to say', async () => {
    await analyst.put('i', mediaItem('image', [medium('image', 'one')], { title: null }));
    await plan('i');
    const [{ id: mediumId } = { id: '' }] = await mediaOf(database.pool, projectId, 'i');
    await storePrepared(database.pool, { ...(await work('i', 'prepare')), mediumId }, { ...prepared(mediumId), durationSec: null, audioKey: null });
    await plan('i');
    await analyst.doMedium({ ...(await work('i', 'vision')), mediumId });
    await plan('i');
    expect([await volume(), await held()]).toEqual([{ used: 1, reserved: 0 }, 0]);
  });

  it('go back for a medium that was skipped, and for one that is gone', async () => {
    const [first = '', second = ''] = await putPrepared('v', [30, 90]);
    await plan('v');
    expect(await volume()).toEqual({ used: 0, reserved: 3 });
    for (const step of ['speech', 'vision'] as const) await endMediumStep(database.pool, { ...(await work('v', step)), step, mediumId: first }, 'skipped', ERROR);
    await plan('v');
    expect(await volume()).toEqual({ used: 0, reserved: 2 });
    expect(second).not.toBe('');
    await patchItem(database.pool, { projectId, itemId: 'v', patch: { media: [medium('video', 'v-0')] }, requestId: null });
    await plan('v');
    expect(await volume()).toEqual({ used: 0, reserved: 1 });
    expect(plain((await snapshot(database.pool, projectId, 'v')).steps)).toMatchObject({ speech: 'skipped', summary: 'queued' });
  });

  it('are reserved for all media of the next steps or for none', async () => {
    await limit(2);
    await putPrepared('v', [30, 90]);
    await plan('v');
    expect(await volume()).toEqual({ used: 0, reserved: 0 });
    expect(await states('v')).toMatchObject({ prepare: 'done', speech: 'waiting', vision: 'waiting', summary: 'queued', embedding: 'queued' });
    expect([(await snapshot(database.pool, projectId, 'v')).status, await flags('v')]).toEqual(['processing', { waiting: true, units: 3 }]);
  });

  it('let a step that has its own go on while another waits', async () => {
    await limit(1);
    const [mediumId = ''] = await putPrepared('v', [30]);
    await plan('v');
    await startStep(database.pool, await work('v', 'vision'));
    await reprocessItem(database.pool, { projectId, itemId: 'v', steps: ['speech'], requestId: null });
    const after = await planItem(database.pool, { projectId, itemId: 'v' }, { vision: 1 }, { now: NOVEMBER });
    expect(plain(after?.steps ?? (await snapshot(database.pool, projectId, 'v')).steps)).toMatchObject({ speech: 'waiting', vision: 'running' });
    expect(await flags('v')).toEqual({ waiting: false, units: 1 });
    await analyst.doMedium({ ...(await work('v', 'vision')), mediumId });
    await plan('v');
    expect(await flags('v')).toEqual({ waiting: true, units: 1 });
  });
});

describe('the last unit', () => {
  it('is taken by one of many that want it at once', async () => {
    await limit(7);
    const ids = Array.from({ length: 20 }, (_, index) => `i${index}`);
    for (const id of ids) await put(id);
    await Promise.all(ids.map((id) => plan(id)));
    const after = await Promise.all(ids.map(states));
    expect(after.filter(({ summary }) => summary === 'queued')).toHaveLength(7);
    expect(after.filter(({ summary }) => summary === 'waiting')).toHaveLength(13);
    expect([await volume(), await held()]).toEqual([{ used: 0, reserved: 7 }, 7]);
  });

  it('is taken once by many plans of one item', async () => {
    await limit(1);
    await put('a');
    await Promise.all(Array.from({ length: 8 }, () => plan('a')));
    expect([await volume(), await held()]).toEqual([{ used: 0, reserved: 1 }, 1]);
    expect(await states('a')).toMatchObject({ summary: 'queued' });
  });

  it('survives everything at once: plans, answers, ends, outdating and deletions leave the books even', async () => {
    await limit(12);
    const ids = Array.from({ length: 12 }, (_, index) => `i${index}`);
    for (const id of ids) await put(id);
    await Promise.all(ids.flatMap((id, index) => [
      plan(id).then(async () => {
        const summary = await work(id, 'summary');
        await Promise.all([recordUsage(database.pool, summary, PROVENANCE, NO_USAGE), completeStep(database.pool, summary, doneBy('fake/1')), plan(id)]);
      }),
      ...(index % 3 === 0 ? [patchItem(database.pool, { projectId, itemId: id, patch: { body: 'другой' }, requestId: null })] : []),
      ...(index % 4 === 0 ? [deleteItem(database.pool, { projectId, itemId: id })] : []),
    ]));
    await Promise.all(ids.map((id) => plan(id)));
    const { rows } = await database.pool.query<{ units: number }>('select coalesce(sum(units) filter (where not settled), 0)::int as units from volume_reservations where project_id = $1', [projectId]);
    expect((await volume()).reserved).toBe(rows[0]?.units);
    for (const id of ids) {
      if ((await plan(id)) === null) continue;
      for (const step of ['summary', 'embedding'] as const) await analyst.finish(id, step);
    }
    expect((await volume()).reserved).toBe(0);
  });
});

describe('what waits', () => {
  const resume = (now = NOVEMBER, most = 100) => resumeAll(now, most);

  async function resumeAll(now: Date, most: number): Promise<number> {
    const project = (await listProjectsThatWait(database.pool, monthOf(now))).find((each) => each.projectId === projectId);
    return project ? resumeItems(database.pool, { ...project, most, priority: 4 }) : 0;
  }

  async function putWaiting(ids: readonly string[], length = 10): Promise<void> {
    for (const id of ids) {
      await put(id, length);
      await plan(id);
    }
  }

  it('keeps its status and time, and is left alone by the reconciler and the depth of the queue', async () => {
    await limit(0);
    await put('a');
    const before = await snapshot(database.pool, projectId, 'a');
    await plan('a');
    const after = await snapshot(database.pool, projectId, 'a');
    expect(after).toMatchObject({ status: 'queued', updatedAt: before.updatedAt });
    await database.pool.query('delete from outbox');
    await database.pool.query(`update items set updated_at = now() - interval '2 hours' where project_id = $1`, [projectId]);
    expect((await listUnfinishedItems(database.pool, { after: null, limit: 1_000, withPutOff: true })).filter((item) => item.projectId === projectId)).toEqual([]);
    const depth = await readQueueDepth(database.pool, 1_000);
    await limit(1);
    expect(await resume()).toBe(1);
    expect((await readQueueDepth(database.pool, 1_000)).unfinishedItems).toBe(depth.unfinishedItems + 1);
  });

  it('goes on when the volume is raised, oldest first and no more than fits', async () => {
    await limit(0);
    await putWaiting(['c', 'a', 'b']);
    await database.pool.query('delete from outbox');
    expect(await resume()).toBe(0);
    await limit(2);
    expect(await resume()).toBe(2);
    expect([(await states('c')).summary, (await states('a')).summary, (await states('b')).summary]).toEqual(['queued', 'queued', 'waiting']);
    const { rows } = await database.pool.query<{ id: string; priority: number }>('select entity_id as id, priority from outbox where project_id = $1 order by id', [projectId]);
    expect(rows.map(({ id }) => id).sort()).toEqual(['a', 'c']);
    expect(rows.every(({ priority }) => priority === 4)).toBe(true);
    expect((await plan('c'))?.steps.summary).toEqual(expect.not.objectContaining({ units: expect.anything() }));
  });

  it('goes on in a new month', async () => {
    await limit(1);
    await put('a');
    await plan('a');
    await putWaiting(['b']);
    expect(await resume()).toBe(0);
    expect(await resume(DECEMBER)).toBe(1);
    await plan('b', DECEMBER);
    expect([await volume(), await volume(monthOf(DECEMBER))]).toEqual([{ used: 0, reserved: 1 }, { used: 0, reserved: 1 }]);
  });

  it('goes on when the limit is taken away', async () => {
    await limit(0);
    await putWaiting(['a', 'b']);
    await limit(null);
    expect(await resume()).toBe(2);
    await plan('a');
    expect(await states('a')).toMatchObject({ summary: 'queued', embedding: 'queued' });
  });

  it('lets smaller items pass one that is larger than what is free', async () => {
    await limit(0);
    await putWaiting(['large'], 50_000);
    await putWaiting(['small']);
    await limit(5);
    expect(await resume()).toBe(1);
    expect([(await states('large')).summary, (await states('small')).summary]).toEqual(['waiting', 'queued']);
  });

  it('waits on when somebody else was faster', async () => {
    await limit(1);
    await put('first');
    await plan('first');
    await putWaiting(['second']);
    await limit(2);
    await resume();
    await put('third');
    await plan('third');
    await plan('second');
    expect(await states('second')).toMatchObject({ summary: 'waiting' });
    expect(await volume()).toEqual({ used: 0, reserved: 2 });
  });

  it('is not resumed when it is deleted, and is when it comes back', async () => {
    await limit(0);
    await putWaiting(['a']);
    await deleteItem(database.pool, { projectId, itemId: 'a' });
    await limit(5);
    expect(await resume()).toBe(0);
    await put('a');
    expect(await resume()).toBe(1);
  });

  it('a write outdates it like anything else', async () => {
    await limit(0);
    await putWaiting(['a'], 3_000);
    await patchItem(database.pool, { projectId, itemId: 'a', patch: { body: 'коротко' }, requestId: null });
    expect(await flags('a')).toEqual({ waiting: false, units: null });
    await plan('a');
    expect(await flags('a')).toEqual({ waiting: true, units: 1 });
  });
});

describe('the month', () => {
  it.each([['2026-11-30T20:59:59.999Z', '2026-11-01'], ['2026-11-30T21:00:00Z', '2026-12-01'], ['2026-12-31T21:00:00Z', '2027-01-01']])('at %s is %s', (time, month) => {
    expect(monthOf(new Date(time))).toBe(month);
  });
});
