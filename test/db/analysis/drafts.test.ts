import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteDrafts, readDraft, saveDraft, type DraftWork } from '../../../db/analysis/drafts.ts';
import { endMediumStep, storeTranscript } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { deferStep, startStep } from '../../../db/analysis/steps.ts';
import { patchItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { DEFERRAL_DELAYS_MS } from '../../../domain/analysis/deferral.ts';
import type { MediumWork } from '../../../domain/jobs/workflowMessages.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';
import { Analyst, mediaItem, medium, PROVENANCE, snapshot } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => database.drop());
beforeEach(() => {
  count += 1;
  id = `item-${count}`;
});

async function rows(): Promise<number> {
  const found = await database.pool.query('select 1 from analysis_drafts where project_id = $1 and item_id = $2', [
    projectId,
    id,
  ]);
  return found.rowCount ?? 0;
}

/** Returns an item's summary step, running. */
async function summaryWork(): Promise<DraftWork> {
  const { steps } = await snapshot(database.pool, projectId, id);
  const work: DraftWork = { projectId, itemId: id, step: 'summary', revision: steps.summary.revision };
  await startStep(database.pool, work);
  return work;
}

/** Returns the speech steps of two media, running. */
async function speechWork(): Promise<[MediumWork, MediumWork]> {
  await analyst.put(id, mediaItem('video', [medium('video', 'a'), medium('video', 'b')]));
  const ref = { projectId, itemId: id };
  const [first = '', second = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  const { prepare, speech } = (await snapshot(database.pool, projectId, id)).steps;
  for (const mediumId of [first, second])
    await analyst.doMedium({ ...ref, step: 'prepare', revision: prepare.revision, mediumId });
  await planItem(database.pool, ref, {});
  const work = { ...ref, step: 'speech' as const, revision: speech.revision };
  await startStep(database.pool, work);
  return [
    { ...work, mediumId: first },
    { ...work, mediumId: second },
  ];
}

describe('a draft', () => {
  it('is found by the next attempt at the same revision, whatever its texts contain', async () => {
    await analyst.put(id, textItem());
    const work = await summaryWork();
    expect(await readDraft(database.pool, work, 'part')).toBeUndefined();
    await saveDraft(database.pool, work, 'part', { text: 'a\0b', list: [1.5, null] });
    expect(await readDraft(database.pool, work, 'part')).toEqual({ text: 'ab', list: [1.5, null] });
    await saveDraft(database.pool, work, 'part', { text: 'newer' });
    expect(await readDraft(database.pool, work, 'part')).toEqual({ text: 'newer' });
    expect(await readDraft(database.pool, { ...work, mediumId: 'm' }, 'part')).toBeUndefined();
  });

  it('is not kept for an outdated revision, and is removed when the first one of a newer revision is saved', async () => {
    await analyst.put(id, textItem());
    const old = await summaryWork();
    await saveDraft(database.pool, old, 'part', { from: 'old' });
    await patchItem(database.pool, { projectId, itemId: id, patch: { body: 'Новее.' }, requestId: null });
    await saveDraft(database.pool, old, 'late', {});
    expect(await readDraft(database.pool, old, 'late')).toBeUndefined();
    const work = await summaryWork();
    expect(work.revision).toBeGreaterThan(old.revision);
    expect(await readDraft(database.pool, work, 'part')).toBeUndefined();
    await saveDraft(database.pool, work, 'part', { from: 'new' });
    expect(await readDraft(database.pool, old, 'part')).toBeUndefined();
    expect(await rows()).toBe(1);
  });

  it('is removed when the step ends for its own medium, and not when it ends for another', async () => {
    const [first, second] = await speechWork();
    for (const work of [first, second]) await saveDraft(database.pool, work, 'part', {});
    await storeTranscript(
      database.pool,
      first,
      { language: null, timestamps: 'model', text: '', segments: [] },
      PROVENANCE,
    );
    expect([await readDraft(database.pool, first, 'part'), await readDraft(database.pool, second, 'part')]).toEqual([
      undefined,
      {},
    ]);
    await endMediumStep(database.pool, second, 'failed', { code: 'internal', message: '' });
    expect(await rows()).toBe(0);
  });

  it('is removed with its medium, and is not kept for one that was removed', async () => {
    const [first, second] = await speechWork();
    for (const work of [first, second]) await saveDraft(database.pool, work, 'part', {});
    await patchItem(database.pool, {
      projectId,
      itemId: id,
      patch: { media: [medium('video', 'a')] },
      requestId: null,
    });
    await saveDraft(database.pool, second, 'late', {});
    expect(await rows()).toBe(1);
    expect(await readDraft(database.pool, first, 'part')).toEqual({});
    await saveDraft(database.pool, first, 'next', {});
    expect(await rows()).toBe(2);
  });

  it('is not kept for a medium that is being removed', async () => {
    const [, second] = await speechWork();
    const write = await database.pool.connect();
    await write.query('begin');
    await write.query('select from items where project_id = $1 and id = $2 for no key update', [projectId, id]);
    await write.query('delete from item_media where project_id = $1 and item_id = $2 and medium_id = $3', [
      projectId,
      id,
      second.mediumId,
    ]);
    const saving = saveDraft(database.pool, second, 'part', {});
    await untilWaiting(database.pool, 1);
    await write.query('commit');
    write.release();
    await saving;
    expect(await rows()).toBe(0);
  });

  it('outlives the addition of another medium, but not a reprocess', async () => {
    const [first] = await speechWork();
    await saveDraft(database.pool, first, 'part', {});
    const media = ['a', 'b', 'c'].map((name) => medium('video', name));
    await patchItem(database.pool, { projectId, itemId: id, patch: { media }, requestId: null });
    const { revision } = (await snapshot(database.pool, projectId, id)).steps.speech;
    expect(revision).toBeGreaterThan(first.revision);
    expect(await readDraft(database.pool, { ...first, revision }, 'part')).toEqual({});
    await reprocessItem(database.pool, { projectId, itemId: id, steps: ['speech'], requestId: null });
    const { revision: last } = (await snapshot(database.pool, projectId, id)).steps.speech;
    expect(last).toBeGreaterThan(revision);
    expect(await readDraft(database.pool, { ...first, revision: last }, 'part')).toBeUndefined();
  });

  it('outlives a deferral, but not the end of the schedule', async () => {
    await analyst.put(id, textItem());
    const work = await summaryWork();
    await saveDraft(database.pool, work, 'part', {});
    for (const _ of DEFERRAL_DELAYS_MS) {
      expect((await deferStep(database.pool, work, { code: 'internal', message: '' }))?.waitMs).toBeGreaterThan(0);
      expect(await rows()).toBe(1);
      await startStep(database.pool, work);
    }
    expect((await deferStep(database.pool, work, { code: 'internal', message: '' }))?.waitMs).toBeNull();
    expect(await rows()).toBe(0);
  });

  it('counts as progress, and restarts the schedule of deferrals each time', async () => {
    await analyst.put(id, textItem());
    const work = await summaryWork();
    const deferrals = async () => (await snapshot(database.pool, projectId, id)).steps.summary.deferrals;
    for (const round of [0, 1, 2]) {
      for (const _ of DEFERRAL_DELAYS_MS) {
        await deferStep(database.pool, work, { code: 'worker_lost', message: '' });
        await startStep(database.pool, work);
      }
      expect(await deferrals()).toBe(DEFERRAL_DELAYS_MS.length);
      await saveDraft(database.pool, work, `part ${round}`, {});
      expect(await deferrals()).toBe(0);
    }
    expect(await rows()).toBe(3);
  });

  it('of an outdated revision does not count as progress', async () => {
    await analyst.put(id, textItem());
    const old = await summaryWork();
    await patchItem(database.pool, { projectId, itemId: id, patch: { body: 'Новее.' }, requestId: null });
    const work = await summaryWork();
    await deferStep(database.pool, work, { code: 'internal', message: '' });
    await startStep(database.pool, work);
    await saveDraft(database.pool, old, 'late', {});
    expect((await snapshot(database.pool, projectId, id)).steps.summary.deferrals).toBe(1);
  });

  it('is removed for every medium when the whole step is cleared', async () => {
    for (const work of await speechWork()) await saveDraft(database.pool, work, 'part', {});
    await deleteDrafts(database.pool, { projectId, itemId: id, step: 'speech' });
    expect(await rows()).toBe(0);
  });
});
