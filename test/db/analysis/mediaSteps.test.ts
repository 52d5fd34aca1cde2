import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  endMediumStep,
  readFramesToDescribe,
  readMediumTodo,
  storeFrameDescriptions,
  storePrepared,
  storeTranscript,
} from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { deferStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { patchItem, reprocessItem } from '../../../db/items/writeItems.ts';
import type { MediumWork } from '../../../domain/jobs/workflowMessages.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
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
import { createTestProject } from '../../support/project.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };

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

const read = () => readItem(database.pool, projectId, id, ALL);

async function videoWork(step: MediumWork['step'] = 'prepare'): Promise<MediumWork> {
  await analyst.put(id, mediaItem('video', [medium('video', 'a')]));
  const plan = await planItem(database.pool, { projectId, itemId: id }, {});
  return { projectId, itemId: id, step, revision: 1, mediumId: plan?.todo.prepare[0] ?? '' };
}

describe('the preparation', () => {
  it('queues speech and vision if there is something to process', async () => {
    const work = await videoWork();
    expect(await readMediumTodo(database.pool, work)).toMatchObject({ kind: 'video', position: 0, audioKey: null });
    expect(await storePrepared(database.pool, work, { ...prepared('x'), frames: [] })).toBe(true);
    expect(await mediaOf(database.pool, projectId, id)).toMatchObject([
      { prepare: 'done', speech: 'todo', vision: 'skipped', status: 'ready' },
    ]);
    expect(await readMediumTodo(database.pool, work)).toBeNull();
    expect((await read())?.media).toEqual([
      {
        mediumId: work.mediumId,
        position: 0,
        kind: 'video',
        url: 'https://media.test/a',
        version: null,
        durationSec: 10,
        width: 640,
        height: 480,
        status: 'ready',
      },
    ]);
  });

  it('leaves nothing to transcribe or look at if it fails', async () => {
    const work = await videoWork();
    await endMediumStep(database.pool, work, 'failed', { code: 'decode_failed', message: 'повреждён' });
    const plan = await planItem(database.pool, { projectId, itemId: id }, {});
    expect(plain(plan?.steps ?? (await snapshot(database.pool, projectId, id)).steps)).toMatchObject({
      prepare: 'failed',
      speech: 'skipped',
      vision: 'skipped',
    });
    expect((await read())?.media).toMatchObject([{ status: 'failed', durationSec: null }]);
  });

  it('removes its earlier results if a repeat of it fails, as do speech and vision', async () => {
    await videoWork();
    await analyst.analyse(id);
    const [row] = await mediaOf(database.pool, projectId, id);
    const fail = async (step: MediumWork['step'], revision: number): Promise<void> => {
      await reprocessItem(database.pool, {
        projectId,
        itemId: id,
        steps: step === 'prepare' ? null : [step],
        requestId: null,
      });
      expect(
        await endMediumStep(
          database.pool,
          { projectId, itemId: id, step, revision, mediumId: row?.id ?? '' },
          'failed',
          { code: 'x', message: 'y' },
        ),
      ).toBe(true);
    };
    expect((await read())?.frames?.some((frame) => frame.description !== '')).toBe(true);
    await fail('speech', 2);
    expect((await read())?.transcript).toBeNull();
    await fail('vision', 3);
    expect((await read())?.frames?.every((frame) => frame.description === '')).toBe(true);
    await fail('prepare', 4);
    expect((await read())?.frames).toBeNull();
    expect((await read())?.media).toMatchObject([{ status: 'failed', durationSec: null, width: null, height: null }]);
  });

  it('removes what other steps made of it if a repeat of it fails', async () => {
    await videoWork();
    await analyst.analyse(id);
    const [row] = await mediaOf(database.pool, projectId, id);
    expect((await read())?.transcript).toHaveLength(1);
    await reprocessItem(database.pool, { projectId, itemId: id, steps: null, requestId: null });
    const work = { projectId, itemId: id, step: 'prepare' as const, revision: 2, mediumId: row?.id ?? '' };
    await endMediumStep(database.pool, work, 'failed', { code: 'x', message: 'y' });
    expect(await read()).toMatchObject({ transcript: null, frames: null });
  });

  it('is not undone by a late second attempt', async () => {
    await videoWork();
    await analyst.analyse(id);
    const before = await read();
    const [row] = await mediaOf(database.pool, projectId, id);
    const late = { projectId, itemId: id, step: 'prepare' as const, revision: 1, mediumId: row?.id ?? '' };
    expect(await storePrepared(database.pool, late, prepared('late'))).toBe(false);
    expect(await endMediumStep(database.pool, late, 'failed', { code: 'x', message: 'y' })).toBe(false);
    expect(before?.transcript).toHaveLength(1);
    expect(await read()).toEqual(before);
  });

  it('replaces sound and frames when it is repeated, and removes everything found in them', async () => {
    await videoWork();
    await analyst.analyse(id);
    await reprocessItem(database.pool, { projectId, itemId: id, steps: null, requestId: null });
    const plan = await planItem(database.pool, { projectId, itemId: id }, {});
    const work: MediumWork = {
      projectId,
      itemId: id,
      step: 'prepare',
      revision: 2,
      mediumId: plan?.todo.prepare[0] ?? '',
    };
    await storePrepared(database.pool, work, prepared('again'));
    expect(await read()).toMatchObject({
      transcript: null,
      frames: [{ description: '', blobKey: 'media/again/0.jpg' }],
    });
  });
});

describe('results of media', () => {
  // proves: decisions-items/older-result
  it.each(['speech', 'vision'] as const)(
    'of %s are dropped if they are outdated, if the step is done already, or if the medium is gone',
    async (step) => {
      const prepare = await videoWork();
      await storePrepared(database.pool, prepare, prepared('x'));
      await planItem(database.pool, prepare, {});
      const work = { ...prepare, step };
      const store = (at: MediumWork): Promise<boolean> =>
        step === 'speech'
          ? storeTranscript(
              database.pool,
              at,
              { language: null, timestamps: 'model', text: 'речь', segments: [] },
              PROVENANCE,
            )
          : storeFrameDescriptions(
              database.pool,
              at,
              [{ id: '0', ts: 0, description: 'кадр', ocrText: null, tags: null, safety: null }],
              PROVENANCE,
            );
      expect(await store({ ...work, revision: 2 })).toBe(false);
      expect(await store({ ...work, mediumId: '00000000-0000-7000-8000-000000000000' })).toBe(false);
      expect(await store(work)).toBe(true);
      if (step === 'vision') await endMediumStep(database.pool, work, 'done', null);
      expect(await store(work)).toBe(false);
      await patchItem(database.pool, { ...prepare, patch: { media: [medium('video', 'b')] }, requestId: null });
      expect(await store(work)).toBe(false);
      expect(await read()).toMatchObject({ transcript: null, frames: null });
    },
  );

  it('survive characters that cannot be stored: NUL and half characters', async () => {
    const prepare = await videoWork();
    await storePrepared(database.pool, prepare, prepared('x'));
    await planItem(database.pool, prepare, {});
    const bad = 'а\0б\uD83D';
    await storeTranscript(
      database.pool,
      { ...prepare, step: 'speech' },
      { language: 'ru', timestamps: 'model', text: bad, segments: [{ start: 0, end: 1, text: bad, speaker: null }] },
      PROVENANCE,
    );
    await storeFrameDescriptions(
      database.pool,
      { ...prepare, step: 'vision' },
      [{ id: '0', ts: 0, description: bad, ocrText: bad, tags: [bad], safety: { [bad]: bad } }],
      PROVENANCE,
    );
    expect(await read()).toMatchObject({
      transcript: [{ text: 'аб\uFFFD', segments: [{ text: 'аб\uFFFD' }] }],
      frames: [
        { description: 'аб\uFFFD', ocrText: 'аб\uFFFD', tags: ['аб\uFFFD'], safety: { 'аб\uFFFD': 'аб\uFFFD' } },
      ],
    });
  });
});

describe('a step', () => {
  it('is not deferred for a medium that was removed before its failure was known', async () => {
    await analyst.put(id, mediaItem('image', [medium('image', 'a'), medium('image', 'b')]));
    const ref = { projectId, itemId: id };
    const [first = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
    const work = { ...ref, step: 'prepare', revision: 1 } as const;
    await analyst.doMedium({ ...work, mediumId: first });
    await patchItem(database.pool, { ...ref, patch: { media: [medium('image', 'a')] }, requestId: null });
    expect(await deferStep(database.pool, work, { code: 'media_unavailable', message: 'молчит' })).toBeNull();
    const running = (await snapshot(database.pool, projectId, id)).steps.prepare;
    expect(running).toMatchObject({ state: 'running', deferrals: 0 });
    expect((await planItem(database.pool, ref, {}))?.steps.prepare).toMatchObject({ state: 'done', error: null });
  });
});

describe('frames', () => {
  // proves: read/FrameOut
  it('worth describing are neither flat nor duplicates; a duplicate shows the description of its original', async () => {
    const prepare = await videoWork();
    const frame = { blobKey: 'k', duplicateOfTs: null, flat: false };
    await storePrepared(database.pool, prepare, {
      ...prepared('x'),
      frames: [
        { ...frame, ts: 0.1 },
        { ...frame, ts: 2, flat: true },
        { ...frame, ts: 3, duplicateOfTs: 0.1 },
      ],
    });
    await planItem(database.pool, prepare, {});
    const work = { ...prepare, step: 'vision' as const };
    expect(await readFramesToDescribe(database.pool, work)).toEqual([{ ts: 0.1, blobKey: 'k' }]);
    await storeFrameDescriptions(
      database.pool,
      work,
      [{ id: '0.1', ts: 0.1, description: 'кот', ocrText: 'CAT', tags: ['кот'], safety: null }],
      PROVENANCE,
    );
    expect(
      (await read())?.frames?.map(({ ts, duplicateOfTs, description, ocrText }) => [
        ts,
        duplicateOfTs,
        description,
        ocrText,
      ]),
    ).toEqual([
      [0.1, null, 'кот', 'CAT'],
      [2, null, '', null],
      [3, 0.1, 'кот', 'CAT'],
    ]);
  });
});
