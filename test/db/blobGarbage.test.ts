import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { endMediumStep, storePrepared } from '../../db/analysis/mediaSteps.ts';
import { planItem } from '../../db/analysis/plan.ts';
import { announceBlobs, deleteGarbageRecords, listDueGarbage, postponeGarbage } from '../../db/blobGarbage.ts';
import { applyItemOperations } from '../../db/items/applyOperations.ts';
import { patchItem, reprocessItem } from '../../db/items/writeItems.ts';
import { inTransaction } from '../../db/pool.ts';
import { attemptBlobFolder } from '../../domain/jobs/ids.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { LINK_LIFETIME_SECONDS } from '../../domain/items/mediaLinkLifetime.ts';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Analyst, mediaItem, mediaOf, medium, prepared } from '../support/items/items.ts';
import { createTestProject } from '../support/project.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});

/** Returns the project's garbage with the whole hours left until its removal. */
async function garbage(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ folder: string; hours: number }>(
    'select folder, round(extract(epoch from after - now()) / 3600)::int as hours from blob_garbage where project_id = $1 order by folder',
    [projectId],
  );
  return Object.fromEntries(rows.map(({ folder, hours }) => [folder, hours]));
}

const folderOf = (work: MediumWork, attempt: string): string => attemptBlobFolder(projectId, work.mediumId, attempt);

/** Returns the files that an attempt stores, under realistic keys. */
function filesOf(work: MediumWork, attempt: string) {
  const folder = folderOf(work, attempt);
  return {
    ...prepared('x'),
    audioKey: `${folder}/audio.flac`,
    subtitlesKey: null,
    frames: [{ ts: 0, blobKey: `${folder}/0.jpg`, duplicateOfTs: null, flat: false }],
  };
}

async function announce(work: MediumWork, attempt: string): Promise<void> {
  await announceBlobs(database.pool, { projectId, folder: folderOf(work, attempt) });
}

async function prepare(work: MediumWork, attempt: string): Promise<boolean> {
  await announce(work, attempt);
  return storePrepared(database.pool, work, filesOf(work, attempt));
}

async function workOf(itemId: string, revision: number): Promise<MediumWork> {
  await planItem(database.pool, { projectId, itemId }, {});
  const [row] = await mediaOf(database.pool, projectId, itemId);
  return { projectId, itemId, step: 'prepare', revision, mediumId: row?.id ?? '' };
}

async function newVideo(): Promise<MediumWork> {
  await new Analyst(database.pool, projectId).put('v', mediaItem('video', [medium('video', 'a')]));
  return workOf('v', 1);
}

describe('the files of an attempt', () => {
  it("are marked as tomorrow's garbage until its rows are stored", async () => {
    const work = await newVideo();
    await announce(work, 'crashed');
    expect(await garbage()).toEqual({ [folderOf(work, 'crashed')]: 24 });
    expect(await prepare(work, 'stored')).toBe(true);
    expect(await garbage()).toEqual({ [folderOf(work, 'crashed')]: 24 });
  });

  it('remain garbage if it comes too late', async () => {
    const work = await newVideo();
    await prepare(work, 'first');
    expect(await prepare(work, 'late')).toBe(false);
    expect(await garbage()).toEqual({ [folderOf(work, 'late')]: 24 });
  });

  it('become garbage when a later one replaces them, once no link leads to them', async () => {
    const work = await newVideo();
    await prepare(work, 'first');
    await reprocessItem(database.pool, { projectId, itemId: 'v', steps: null, requestId: null });
    expect(await garbage()).toEqual({});
    await prepare(await workOf('v', 2), 'second');
    expect(await garbage()).toEqual({ [folderOf(work, 'first')]: 2 });
    expect(2 * 3600).toBeGreaterThan(LINK_LIFETIME_SECONDS);
  });

  it('become garbage when a later one fails, and nothing refers to them', async () => {
    const work = await newVideo();
    await prepare(work, 'first');
    await reprocessItem(database.pool, { projectId, itemId: 'v', steps: null, requestId: null });
    await endMediumStep(database.pool, await workOf('v', 2), 'failed', { code: 'decode_failed', message: 'повреждён' });
    expect(await garbage()).toEqual({ [folderOf(work, 'first')]: 2 });
    const { rows } = await database.pool.query(
      'select audio_key, subtitles_key, (select count(*)::int from item_frames where project_id = $1) as frames from item_media where project_id = $1',
      [projectId],
    );
    expect(rows).toEqual([{ audio_key: null, subtitles_key: null, frames: 0 }]);
  });

  it('become garbage with their medium, all of them', async () => {
    const work = await newVideo();
    await prepare(work, 'first');
    await patchItem(database.pool, {
      projectId,
      itemId: 'v',
      patch: { media: [medium('video', 'b')] },
      requestId: null,
    });
    expect(await garbage()).toEqual({ [`media/${projectId}/${work.mediumId}`]: 2 });
  });

  it('are kept when the removal of the medium is rolled back', async () => {
    await prepare(await newVideo(), 'first');
    const write = { projectId, origin: 'api' as const, priority: PRIORITY.single, requestId: null };
    const refused = inTransaction(database.pool, async (client) => {
      await applyItemOperations(client, write, [{ op: 'put', id: 'v', content: mediaItem('mixed', []) }]);
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await garbage()).toEqual({});
  });
});

describe('due garbage', () => {
  const due = async () =>
    (await listDueGarbage(database.pool, 100)).filter((row) => row.projectId === projectId).map((row) => row.folder);

  it('is listed oldest first, and forgotten or deferred', async () => {
    for (const folder of ['media/a', 'media/b', 'media/c']) await announceBlobs(database.pool, { projectId, folder });
    expect(await due()).toEqual([]);
    await database.pool.query(
      `update blob_garbage set after = now() - (ascii(right(folder, 1)) * interval '1 second') where folder <> 'media/b' and project_id = $1`,
      [projectId],
    );
    expect(await due()).toEqual(['media/c', 'media/a']);
    await deleteGarbageRecords(database.pool, [
      { projectId, folder: 'media/c' },
      { projectId, folder: 'media/b' },
    ]);
    // The record of b has stayed, because it is not due: somebody may still write there.
    await postponeGarbage(database.pool, [
      { projectId, folder: 'media/a' },
      { projectId, folder: 'media/b' },
    ]);
    expect(await due()).toEqual([]);
    expect(await garbage()).toEqual({ 'media/a': 1, 'media/b': 24 });
  });
});
