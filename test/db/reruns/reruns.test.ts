import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { storePrepared, endMediumStep, storeTranscript } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { doneBy } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { deleteItem, putItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { updateProject } from '../../../db/accounts/projects.ts';
import { findRerun, openRerun, rerunPage, type RerunPace, type StoredRerun } from '../../../db/reruns/reruns.ts';
import { recordModels } from '../../../db/analysis/stepModels.ts';
import type { StepModels } from '../../../domain/analysis/stepModels.ts';
import type { RerunFilter, RerunPage } from '../../../domain/items/reruns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import {
  Analyst,
  mediaItem,
  mediaOf,
  medium,
  plain,
  prepared,
  PROVENANCE,
  snapshot,
} from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';
import { setClientState } from '../../support/setClientState.ts';

const FAST: RerunPace = { itemsPerSecond: 100, roundPauseMs: 7 };
const ALL: RerunFilter = { status: null, steps: null };
const INCLUDE = { transcript: false, frames: false, searchChunks: false };

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  for (const table of ['reruns', 'jobs', 'outbox', 'step_models']) await database.pool.query(`delete from ${table}`);
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});

/** Adds analysed texts, whose embedding is by the given model. */
async function addReady(ids: readonly string[], model = 'fake/1'): Promise<void> {
  for (const id of ids) {
    await analyst.put(id, textItem());
    await planItem(database.pool, { projectId, itemId: id }, {});
    await analyst.finish(id, 'summary', { outcome: doneBy('fake/1') });
    await analyst.finish(id, 'embedding', { outcome: { ...doneBy(model), hasVectors: true } });
  }
  await database.pool.query('delete from outbox');
}

const ask = (filter: RerunFilter) => openRerun(database.pool, { projectId, filter, requestId: 'asked' });

async function open(filter: RerunFilter): Promise<StoredRerun> {
  const rerun = await ask(filter);
  if (typeof rerun === 'string') throw new Error(rerun);
  return rerun;
}
const clientId = async () =>
  (await database.pool.query<{ id: string }>('select client_id as id from projects where id = $1', [projectId])).rows[0]
    ?.id ?? '';
const stepsOf = async (id: string) => plain((await snapshot(database.pool, projectId, id)).steps);
const jobs = async () =>
  (
    await database.pool.query<{ id: string }>('select entity_id as id from jobs where project_id = $1', [projectId])
  ).rows.map(({ id }) => id);
const queuedIds = async () =>
  (
    await database.pool.query<{ id: string }>(
      `select entity_id as id from outbox where project_id = $1 and kind = 'item' order by entity_id`,
      [projectId],
    )
  ).rows.map(({ id }) => id);

async function runAll(id: string, pace = FAST): Promise<RerunPage[]> {
  const pages: RerunPage[] = [];
  do pages.push(await rerunPage(database.pool, projectId, id, pace));
  while (!pages.at(-1)?.isDone);
  return pages;
}

describe('a requested rerun', () => {
  it('queues every item with bulk priority, and ends', async () => {
    await addReady(['a', 'b', 'c']);
    const { id } = await open(ALL);
    expect(await jobs()).toEqual([id]);
    expect(await runAll(id)).toEqual([{ isDone: true, seen: 3, done: 3, pauseMs: 0 }]);
    expect(await findRerun(database.pool, projectId, id)).toMatchObject({
      state: 'done',
      reason: 'request',
      seen: 3,
      done: 3,
      filter: ALL,
    });
    expect([await jobs(), await queuedIds()]).toEqual([[], ['a', 'b', 'c']]);
    expect(await stepsOf('a')).toEqual({
      prepare: 'queued',
      speech: 'queued',
      vision: 'queued',
      summary: 'queued',
      embedding: 'queued',
    });
    const { rows } = await database.pool.query(`select distinct priority, request_id from outbox where kind = 'item'`);
    expect(rows).toEqual([{ priority: 4, request_id: 'asked' }]);
  });

  it('runs alone in its project, however many are requested at once; other projects and the next rerun are accepted', async () => {
    await addReady(['a']);
    const asked = (await Promise.all(Array.from({ length: 5 }, () => ask(ALL)))).filter(
      (rerun) => typeof rerun !== 'string',
    );
    expect(asked).toHaveLength(1);
    expect(await jobs()).toEqual(asked.map(({ id }) => id));
    const other = await createTestProject(database.pool);
    expect(await openRerun(database.pool, { projectId: other, filter: ALL, requestId: null })).toMatchObject({
      state: 'running',
    });
    await runAll(asked[0]?.id ?? '');
    expect(await ask({ status: 'ready', steps: ['summary'] })).toMatchObject({ state: 'running' });
  });

  it('ends when the client of its project is blocked, and reruns for other clients go on', async () => {
    const other = await createTestProject(database.pool);
    const [own, foreign] = [
      await open(ALL),
      await openRerun(database.pool, { projectId: other, filter: ALL, requestId: null }),
    ];
    if (typeof foreign === 'string') throw new Error(foreign);
    await setClientState(database.pool, await clientId(), 'blocked');
    expect(await findRerun(database.pool, projectId, own.id)).toMatchObject({
      state: 'done',
      cancelledAt: expect.any(Date),
    });
    expect(await findRerun(database.pool, other, foreign.id)).toMatchObject({ state: 'running' });
    expect(await ask(ALL)).toBe('inactive_project');
  });

  it('is not opened while the client of its project is being blocked', async () => {
    const blocking = await database.pool.connect();
    await blocking.query('begin');
    await blocking.query(`update clients set state = 'blocked' where id = $1`, [await clientId()]);
    const asked = ask(ALL);
    await untilWaiting(database.pool, 1);
    await blocking.query('commit');
    blocking.release();
    expect(await asked).toBe('inactive_project');
  });

  // proves: decisions-cabinet-calls/rerun
  it('outdates the named steps and their dependents, for items with the given status', async () => {
    await addReady(['ready']);
    await analyst.put('queued', textItem());
    await runAll((await open({ status: 'ready', steps: ['embedding'] })).id);
    expect(await stepsOf('ready')).toMatchObject({ summary: 'done', embedding: 'queued' });
    expect((await snapshot(database.pool, projectId, 'queued')).revision).toBe(1);
  });

  it('ignores deleted items and items that came with orders', async () => {
    await addReady(['deleted', 'ordered', 'plain']);
    await deleteItem(database.pool, { projectId, itemId: 'deleted' });
    await database.pool.query(`update items set origin = 'order' where id = 'ordered'`);
    await database.pool.query('delete from outbox');
    expect(await runAll((await open(ALL)).id)).toEqual([{ isDone: true, seen: 3, done: 1, pauseMs: 0 }]);
    expect(await queuedIds()).toEqual(['plain']);
  });

  // proves: decisions-items/model-rate
  it('goes page by page at its rate, each item once, even if a page is requested twice', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `i${String(index).padStart(2, '0')}`);
    await addReady(ids);
    const { id } = await open(ALL);
    const pace = { itemsPerSecond: 1, roundPauseMs: 0 };
    expect(await rerunPage(database.pool, projectId, id, pace)).toEqual({
      isDone: false,
      seen: 10,
      done: 10,
      pauseMs: 10_000,
    });
    // Two concurrent activities, as after a lost heartbeat: they take turns, and neither repeats the other's page.
    const both = await Promise.all([
      rerunPage(database.pool, projectId, id, pace),
      rerunPage(database.pool, projectId, id, pace),
    ]);
    expect(both.map(({ done }) => done).sort()).toEqual([20, 25]);
    expect(await runAll(id, pace)).toEqual([{ isDone: true, seen: 25, done: 25, pauseMs: 0 }]);
    const { rows } = await database.pool.query<{ revision: string }>(
      'select distinct revision from items where project_id = $1',
      [projectId],
    );
    expect(rows).toEqual([{ revision: '2' }]);
  });

  it('repeats an interrupted page as a whole', async () => {
    await addReady(['a', 'b']);
    const { id } = await open(ALL);
    await database.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    );
    await database.pool.query('create trigger refuse before insert on outbox for each row execute function refuse()');
    await expect(rerunPage(database.pool, projectId, id, FAST)).rejects.toThrow('broken');
    await database.pool.query('drop function refuse cascade');
    expect(await findRerun(database.pool, projectId, id)).toMatchObject({ state: 'running', done: 0 });
    expect(await runAll(id)).toEqual([{ isDone: true, seen: 2, done: 2, pauseMs: 0 }]);
  });

  it('ends at once if it is over or unknown', async () => {
    const { id } = await open(ALL);
    await runAll(id);
    expect(await runAll(id)).toEqual([{ isDone: true, seen: 0, done: 0, pauseMs: 0 }]);
    expect(await runAll('019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11')).toEqual([
      { isDone: true, seen: 0, done: 0, pauseMs: 0 },
    ]);
  });
});

describe('models', () => {
  const change = (models: Partial<StepModels>) => recordModels(database.pool, { ...FAKE_MODELS, ...models });
  const reruns = async () =>
    (
      await database.pool.query<{ id: string; state: string; filter: RerunFilter }>(
        'select id, state, filter from reruns where project_id = $1 order by created_at, id',
        [projectId],
      )
    ).rows;
  const runningId = async () => (await reruns()).find(({ state }) => state === 'running')?.id ?? '';

  it('outdate nothing when they are seen for the first time, when they stay the same, or when their step is switched off', async () => {
    await addReady(['a']);
    expect(await change({ vision: null })).toEqual([]);
    expect(await change({})).toEqual([]);
    expect(await change({ embedding: null })).toEqual([]);
    expect(await change({})).toEqual([]);
    expect(await reruns()).toEqual([]);
  });

  // proves: decisions-items/model-change
  it('outdate the results of other models when they change, and nothing else', async () => {
    await addReady(['old'], 'fake/1');
    await addReady(['new'], 'fake/2');
    await addReady(['unnoted']);
    await database.pool.query(`update items set steps = steps #- '{embedding,model}' where id = 'unnoted'`);
    await change({});
    expect(await change({ embedding: 'fake/2' })).toEqual(['embedding']);
    expect(await reruns()).toMatchObject([{ state: 'running', filter: { models: { embedding: 'fake/2' } } }]);
    await rerunPage(database.pool, projectId, await runningId(), FAST);
    expect(await queuedIds()).toEqual(['old', 'unnoted']);
    expect(await stepsOf('old')).toMatchObject({ summary: 'done', embedding: 'queued' });
    expect(await stepsOf('new')).toMatchObject({ summary: 'done', embedding: 'done' });
  });

  // proves: decisions-items/model-change
  it('outdate the dependent steps too when they change, although the models of those steps stay the same', async () => {
    await addReady(['a']);
    await change({});
    await change({ summary: 'fake/2' });
    await rerunPage(database.pool, projectId, await runningId(), FAST);
    expect(await stepsOf('a')).toEqual({
      prepare: 'skipped',
      speech: 'skipped',
      vision: 'skipped',
      summary: 'queued',
      embedding: 'queued',
    });
  });

  it('are checked again until a round finds nothing, because an old process may have stored results meanwhile', async () => {
    await addReady(['a', 'b']);
    await change({});
    await change({ embedding: 'fake/2' });
    const id = await runningId();
    expect(await rerunPage(database.pool, projectId, id, FAST)).toEqual({
      isDone: false,
      seen: 2,
      done: 2,
      pauseMs: 7,
    });
    await analyst.finish('a', 'embedding', { outcome: { ...doneBy('fake/1'), hasVectors: true } });
    await analyst.finish('b', 'embedding', { outcome: { ...doneBy('fake/2'), hasVectors: true } });
    expect(await rerunPage(database.pool, projectId, id, FAST)).toEqual({
      isDone: false,
      seen: 2,
      done: 3,
      pauseMs: 7,
    });
    await analyst.finish('a', 'embedding', { outcome: { ...doneBy('fake/2'), hasVectors: true } });
    expect(await rerunPage(database.pool, projectId, id, FAST)).toEqual({ isDone: true, seen: 2, done: 3, pauseMs: 0 });
    expect(await jobs()).toEqual([]);
  });

  it('cause one rerun when several processes start with them at once', async () => {
    await addReady(['a']);
    await change({});
    const seen = await Promise.all(Array.from({ length: 6 }, () => change({ summary: 'fake/2' })));
    expect(seen.filter((steps) => steps.length > 0)).toEqual([['summary']]);
    expect([await reruns(), await jobs()]).toMatchObject([[{ state: 'running' }], [await runningId()]]);
  });

  it('take over the items that an earlier change has not reached when they change again', async () => {
    await addReady(['a']);
    await change({});
    await change({ embedding: 'fake/2', speech: 'fake/2' });
    const first = await runningId();
    await change({ embedding: 'fake/3', speech: 'fake/2' });
    expect(await reruns()).toMatchObject([
      { id: first, state: 'replaced' },
      { state: 'running', filter: { models: { embedding: 'fake/3', speech: 'fake/2' } } },
    ]);
    expect(await jobs()).toEqual([await runningId()]);
    expect(await rerunPage(database.pool, projectId, first, FAST)).toMatchObject({ isDone: true, done: 0 });
    await rerunPage(database.pool, projectId, await runningId(), FAST);
    expect(await queuedIds()).toEqual(['a']);
  });

  it('cause the steps that were skipped without them to run once they are available', async () => {
    await analyst.put('v', mediaItem('video', [medium('video', 'one')]));
    await planItem(database.pool, { projectId, itemId: 'v' }, {});
    const [{ id: mediumId } = { id: '' }] = await mediaOf(database.pool, projectId, 'v');
    const work = <S extends 'prepare' | 'speech' | 'vision'>(step: S) => ({
      projectId,
      itemId: 'v',
      step,
      revision: 1,
      mediumId,
    });
    await storePrepared(database.pool, work('prepare'), prepared(mediumId));
    await endMediumStep(database.pool, work('speech'), 'skipped', { code: 'no_speech_provider', message: 'нет' });
    await endMediumStep(database.pool, work('vision'), 'done', null, 'fake/1');
    await planItem(database.pool, { projectId, itemId: 'v' }, {});
    const { steps } = await snapshot(database.pool, projectId, 'v');
    expect([steps.prepare.model, steps.vision.model, steps.speech]).toMatchObject([
      'builtin-prepare-1',
      'fake/1',
      { state: 'skipped' },
    ]);
    await change({ speech: 'builtin-subtitles-1' });
    await change({ speech: 'fake/1' });
    await rerunPage(database.pool, projectId, await runningId(), FAST);
    expect(await stepsOf('v')).toMatchObject({ prepare: 'done', speech: 'queued', vision: 'done', summary: 'queued' });
    await storeTranscript(
      database.pool,
      { ...work('speech'), revision: 2 },
      { language: null, timestamps: 'model', text: 'речь', segments: [] },
      PROVENANCE,
      { model: 'fake/1' },
    );
    await planItem(database.pool, { projectId, itemId: 'v' }, {});
    expect((await snapshot(database.pool, projectId, 'v')).steps.speech).toMatchObject({
      state: 'done',
      model: 'fake/1',
    });
  });

  it('of an item that was deleted meanwhile are compared when it is restored', async () => {
    await addReady(['gone', 'same']);
    await change({});
    for (const itemId of ['gone', 'same']) await deleteItem(database.pool, { projectId, itemId });
    await change({ embedding: 'fake/2' });
    expect(await rerunPage(database.pool, projectId, await runningId(), FAST)).toMatchObject({ isDone: true, done: 0 });
    await analyst.put('gone', textItem());
    expect(await stepsOf('gone')).toMatchObject({ summary: 'done', embedding: 'queued' });
    expect(await queuedIds()).toEqual(['gone']);
    await change({});
    await analyst.put('same', textItem());
    expect(await snapshot(database.pool, projectId, 'same')).toMatchObject({ status: 'ready', revision: 1 });
  });

  it('of media are compared too when their item is restored', async () => {
    const content = mediaItem('image', [medium('image', 'one')]);
    await analyst.put('picture', content);
    await analyst.analyse('picture');
    await change({});
    await deleteItem(database.pool, { projectId, itemId: 'picture' });
    await analyst.put('picture', content);
    expect(await stepsOf('picture')).toMatchObject({ prepare: 'done', speech: 'skipped', vision: 'queued' });
    expect(await mediaOf(database.pool, projectId, 'picture')).toMatchObject([{ prepare: 'done', vision: 'todo' }]);
    expect((await readItem(database.pool, projectId, 'picture', INCLUDE))?.summary).not.toBeNull();
  });

  it('outdate the results of an item that is restored while they change, whichever commits first', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `back-${index}`);
    await addReady(ids);
    await change({});
    for (const itemId of ids) await deleteItem(database.pool, { projectId, itemId });
    await Promise.all([change({ embedding: 'fake/2' }), ...ids.map((itemId) => analyst.put(itemId, textItem()))]);
    await rerunPage(database.pool, projectId, await runningId(), FAST);
    for (const itemId of ids) expect(await stepsOf(itemId)).toMatchObject({ embedding: 'queued' });
  });

  it('of an archived project are compared when it leaves the archive, even if it is only suspended then', async () => {
    await addReady(['a', 'b']);
    await change({});
    await updateProject(database.pool, projectId, { state: 'archived' });
    await change({ embedding: 'fake/2' });
    expect(await reruns()).toEqual([]);
    await updateProject(database.pool, projectId, { title: 'Ещё в архиве' });
    expect(await reruns()).toEqual([]);
    await updateProject(database.pool, projectId, { state: 'suspended' });
    expect(await reruns()).toMatchObject([
      { state: 'running', filter: { models: { embedding: 'fake/2', summary: 'fake/1' } } },
    ]);
    expect(await jobs()).toEqual([await runningId()]);
    await rerunPage(database.pool, projectId, await runningId(), FAST);
    expect(await queuedIds()).toEqual(['a', 'b']);
    expect(await stepsOf('a')).toMatchObject({ summary: 'done', embedding: 'queued' });
    await updateProject(database.pool, projectId, { state: 'active' });
    expect(await reruns()).toHaveLength(1);
  });

  it('go on being compared in a project that is suspended or whose client is blocked, until it is archived', async () => {
    await addReady(['a']);
    await change({});
    await change({ embedding: 'fake/2' });
    await updateProject(database.pool, projectId, { state: 'suspended' });
    await setClientState(database.pool, await clientId(), 'blocked');
    expect(await reruns()).toMatchObject([{ state: 'running' }]);
    await updateProject(database.pool, projectId, { state: 'archived' });
    expect(await reruns()).toMatchObject([{ state: 'done' }]);
  });

  it('do not outdate an unfinished item, which will use the new ones anyway', async () => {
    await addReady(['a']);
    await change({});
    await reprocessItem(database.pool, { projectId, itemId: 'a', steps: ['embedding'], requestId: null });
    await putItem(database.pool, { projectId, itemId: 'b', content: textItem(), origin: 'api', requestId: null });
    await change({ embedding: 'fake/2' });
    expect(await rerunPage(database.pool, projectId, await runningId(), FAST)).toEqual({
      isDone: true,
      seen: 2,
      done: 0,
      pauseMs: 0,
    });
  });
});
