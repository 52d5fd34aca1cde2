import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { endMediumStep, storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { deferStep, startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { patchItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { MISSING_PARTS } from '../../../domain/items/errorCodes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Analyst, mediaItem, medium, prepared, snapshot } from '../../support/items/items.ts';
import { createTestProject } from '../../support/project.ts';

const NOTHING = { transcript: false, frames: false, searchChunks: false };
let database: TestDatabase;
let projectId: string;
let analyst: Analyst;

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => database.drop());

it('an item is found only by its own project and id', async () => {
  await analyst.put('a', mediaItem('mixed', []));
  expect(await readItem(database.pool, projectId, 'b', NOTHING)).toBeNull();
  expect(await readItem(database.pool, 'other0000000', 'a', NOTHING)).toBeNull();
});

// proves: read/transcript, read/frames, read/search_chunks
it('parts that are not requested are left out, and missing parts are null', async () => {
  await analyst.put('bare', mediaItem('mixed', []));
  const item = await readItem(database.pool, projectId, 'bare', NOTHING);
  expect(Object.keys(item ?? {})).not.toEqual(expect.arrayContaining(['transcript']));
  expect(
    await readItem(database.pool, projectId, 'bare', { transcript: true, frames: true, searchChunks: true }),
  ).toMatchObject({ transcript: null, frames: null, searchChunks: null, summary: null, media: [] });
});

// proves: states/medium-states, read/MediaOut, decisions-items/step-error
it('a failed medium is shown at its current position, and forgotten when it is removed', async () => {
  const media = [medium('image', 'good'), medium('image', 'bad')];
  await analyst.put('failed', mediaItem('image', media));
  const ref = { projectId, itemId: 'failed' };
  const plan = await planItem(database.pool, ref, {});
  const [good = '', bad = ''] = plan?.todo.prepare ?? [];
  const work = { ...ref, step: 'prepare' as const, revision: 1 };
  await startStep(database.pool, work);
  await storePrepared(database.pool, { ...work, mediumId: good }, prepared(good));
  await endMediumStep(database.pool, { ...work, mediumId: bad }, 'failed', { code: 'media_not_found', message: 'нет' });
  await analyst.analyse('failed');
  const errors = async () => (await readItem(database.pool, projectId, 'failed', NOTHING))?.processingErrors;
  expect(await errors()).toEqual({ prepare: { code: 'media_not_found', message: 'нет', media_position: 1 } });
  await patchItem(database.pool, { ...ref, patch: { media: media.toReversed() }, requestId: null });
  expect(await errors()).toEqual({ prepare: { code: 'media_not_found', message: 'нет', media_position: 0 } });
  expect((await snapshot(database.pool, projectId, 'failed')).status).toBe('partial');
  await patchItem(database.pool, { ...ref, patch: { media: media.slice(0, 1) }, requestId: null });
  await analyst.analyse('failed');
  expect(await errors()).toEqual({});
  expect((await snapshot(database.pool, projectId, 'failed')).status).toBe('ready');
});

// proves: read/processing
it('the reason why an applicable step was skipped is shown, even if the item is ready', async () => {
  await analyst.put('unheard', mediaItem('audio', [medium('image', 'cover'), medium('audio', 'talk')]));
  const ref = { projectId, itemId: 'unheard' };
  const [cover = '', talk = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  const work = { ...ref, step: 'prepare' as const, revision: 1 };
  await storePrepared(database.pool, { ...work, mediumId: cover }, { ...prepared(cover), audioKey: null });
  await storePrepared(database.pool, { ...work, mediumId: talk }, { ...prepared(talk), frames: [] });
  const reason = { code: 'no_speech_provider', message: 'не подключено' };
  await endMediumStep(database.pool, { ...work, step: 'speech', mediumId: talk }, 'skipped', reason);
  await analyst.analyse('unheard');
  expect(await readItem(database.pool, projectId, 'unheard', NOTHING)).toMatchObject({
    status: 'ready',
    processing: { speech: 'skipped', vision: 'skipped' },
    // An item of type audio has no vision step, so there is nothing to explain.
    processingErrors: { speech: { ...reason, media_position: 1 } },
  });
  const errors = async () => (await readItem(database.pool, projectId, 'unheard', NOTHING))?.processingErrors;
  expect(Object.keys((await errors()) ?? {})).toEqual(['speech']);
  await reprocessItem(database.pool, { ...ref, steps: null, requestId: null });
  const gone = { code: 'media_not_found', message: 'нет' };
  await endMediumStep(database.pool, { ...work, revision: 2, mediumId: cover }, 'failed', gone);
  await endMediumStep(database.pool, { ...work, revision: 2, mediumId: talk }, 'failed', gone);
  await analyst.analyse('unheard');
  expect(await errors()).toEqual({ prepare: { ...gone, media_position: 0 } });
});

it('a part that preparing left out is named, unless a medium failed', async () => {
  await analyst.put('lossy', mediaItem('audio', [medium('audio', 'talk'), medium('audio', 'broken')]));
  const ref = { projectId, itemId: 'lossy' };
  const work = { ...ref, step: 'prepare' as const, revision: 1 };
  const [talk = '', broken = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  const loss = { code: 'subtitles_unreadable', message: 'не прочитаны' };
  await storePrepared(database.pool, { ...work, mediumId: talk }, { ...prepared(talk), frames: [], loss });
  await storePrepared(database.pool, { ...work, mediumId: broken }, { ...prepared(broken), frames: [] });
  await analyst.analyse('lossy');
  const errors = async () => (await readItem(database.pool, projectId, 'lossy', NOTHING))?.processingErrors;
  expect(await errors()).toEqual({ prepare: { ...loss, media_position: 0 } });

  await reprocessItem(database.pool, { ...ref, steps: null, requestId: null });
  const gone = { code: 'media_not_found', message: 'нет' };
  await storePrepared(database.pool, { ...work, revision: 2, mediumId: talk }, { ...prepared(talk), frames: [], loss });
  await endMediumStep(database.pool, { ...work, revision: 2, mediumId: broken }, 'failed', gone);
  await analyst.analyse('lossy');
  expect(await errors()).toEqual({ prepare: { ...gone, media_position: 1 } });

  await reprocessItem(database.pool, { ...ref, steps: null, requestId: null });
  for (const mediumId of [talk, broken])
    await storePrepared(database.pool, { ...work, revision: 3, mediumId }, { ...prepared(mediumId), frames: [] });
  await analyst.analyse('lossy');
  expect(await errors()).toEqual({});
});

it('the medium that could not be transcribed is named, even if another one was', async () => {
  await analyst.put('half', mediaItem('audio', [medium('audio', 'captioned'), medium('audio', 'talk')]));
  const ref = { projectId, itemId: 'half' };
  const work = { ...ref, step: 'speech' as const, revision: 1 };
  const [captioned = '', talk = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  for (const mediumId of [captioned, talk])
    await storePrepared(database.pool, { ...work, step: 'prepare', mediumId }, { ...prepared(mediumId), frames: [] });
  const reason = { code: 'no_speech_provider', message: 'не подключено' };
  await endMediumStep(database.pool, { ...work, mediumId: captioned }, 'done', null);
  await endMediumStep(database.pool, { ...work, mediumId: talk }, 'skipped', reason);
  await analyst.analyse('half');
  expect(await readItem(database.pool, projectId, 'half', NOTHING)).toMatchObject({
    status: 'ready',
    processing: { speech: 'done' },
    processingErrors: { speech: { ...reason, media_position: 1 } },
  });
});

it.each(['speech', 'vision'] as const)('a part that a %s step lacks is named (MISSING_PARTS)', async (step) => {
  const ref = { projectId, itemId: `partial-${step}` };
  await analyst.put(ref.itemId, mediaItem('video', [medium('video', 'talk')]));
  const [mediumId = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  const work = { ...ref, step, revision: 1, mediumId };
  await storePrepared(database.pool, { ...work, step: 'prepare' }, prepared(mediumId));
  const [reason] = [...MISSING_PARTS].map((code) => ({ code, message: 'не всё' }));
  await endMediumStep(database.pool, work, 'done', reason ?? null);
  await analyst.analyse(ref.itemId);
  expect(await readItem(database.pool, projectId, ref.itemId, NOTHING)).toMatchObject({
    processing: { [step]: 'done' },
    processingErrors: { [step]: { ...reason, media_position: 0 } },
  });
});

it('a failed medium is named before a skipped one', async () => {
  await analyst.put('both', mediaItem('audio', [medium('audio', 'silent'), medium('audio', 'broken')]));
  const ref = { projectId, itemId: 'both' };
  const work = { ...ref, step: 'speech' as const, revision: 1 };
  const [silent = '', broken = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  for (const mediumId of [silent, broken])
    await storePrepared(database.pool, { ...work, step: 'prepare', mediumId }, { ...prepared(mediumId), frames: [] });
  await endMediumStep(database.pool, { ...work, mediumId: silent }, 'skipped', { code: 'no_audio', message: 'тихо' });
  await endMediumStep(database.pool, { ...work, mediumId: broken }, 'failed', { code: 'refused', message: 'нет' });
  await analyst.analyse('both');
  expect((await readItem(database.pool, projectId, 'both', NOTHING))?.processingErrors).toEqual({
    speech: { code: 'refused', message: 'нет', media_position: 1 },
  });
});

it('a deferred step shows what it waits for, not which of its media failed permanently', async () => {
  await analyst.put('deferred', mediaItem('image', [medium('image', 'gone'), medium('image', 'silent')]));
  const ref = { projectId, itemId: 'deferred' };
  const [gone = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  const work = { ...ref, step: 'prepare' as const, revision: 1 };
  await endMediumStep(database.pool, { ...work, mediumId: gone }, 'failed', {
    code: 'media_not_found',
    message: 'нет',
  });
  await deferStep(database.pool, work, { code: 'media_unavailable', message: 'молчит' });
  expect(await readItem(database.pool, projectId, 'deferred', NOTHING)).toMatchObject({
    status: 'deferred',
    processingErrors: { prepare: { code: 'media_unavailable' } },
    processing: { prepare: 'deferred', vision: 'deferred', speech: 'skipped', embedding: 'deferred' },
  });
});
