/** No result outlives the content that it describes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readEvidence } from '../../../db/analysis/evidence.ts';
import { replaceModeration, storeModeration } from '../../../db/analysis/results/moderations.ts';
import { replaceSummary } from '../../../db/analysis/results/summaries.ts';
import { endMediumStep, storeFrameDescriptions, storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { completeStep, deferStep, startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { deleteItem, patchItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { DEFERRAL_DELAYS_MS } from '../../../domain/analysis/deferral.ts';
import type { ItemPatch } from '../../../domain/items/item.ts';
import type { MediaStep, Step } from '../../../domain/analysis/steps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addSilentWebhook,
  Analyst,
  mediaItem,
  medium,
  plain,
  prepared,
  PROVENANCE,
  snapshot,
  summaryOf,
} from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };
const ERROR = { code: 'provider_refused', message: 'нет' };
const MODERATION = { level: 'high' as const, categories: null, evidence: null };
const FAILED = { state: 'failed' as const, error: ERROR };

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  await addSilentWebhook(database.pool, projectId);
  analyst = new Analyst(database.pool, projectId);
});
afterAll(() => database.drop());
beforeEach(() => {
  count += 1;
  id = `item-${count}`;
});

const ref = () => ({ projectId, itemId: id });
const read = () => readItem(database.pool, projectId, id, ALL);
const look = () => snapshot(database.pool, projectId, id);
const rewrite = (patch: ItemPatch = { body: 'Другое.' }) =>
  patchItem(database.pool, { ...ref(), patch, requestId: null });
const reprocess = (steps: Step[] | null) => reprocessItem(database.pool, { ...ref(), steps, requestId: null });

async function workOf<S extends Step>(step: S) {
  const { steps } = await look();
  return { ...ref(), step, revision: steps[step].revision };
}

/** Completes the summary (with a moderation) and the embedding of a text. */
async function analyseText(): Promise<void> {
  await planItem(database.pool, ref(), {});
  const work = await workOf('summary');
  await startStep(database.pool, work);
  await completeStep(database.pool, work, { state: 'done', error: null }, async (client) => {
    await replaceSummary(client, work, { summary: summaryOf('итог'), moderation: MODERATION, provenance: PROVENANCE });
    await replaceModeration(client, work, { moderation: MODERATION, provenance: PROVENANCE });
  });
  await analyst.finish(id, 'embedding', { text: 'кусок' });
}

async function readyText(): Promise<void> {
  await analyst.put(id, textItem());
  await analyseText();
  expect(await read()).toMatchObject({
    status: 'ready',
    summary: { summary: 'итог' },
    moderation: MODERATION,
    searchChunks: [{ text: 'кусок' }],
  });
}

/** Defers a step until its schedule is exhausted. */
async function exhaust(step: Step): Promise<void> {
  for (let tries = 0; tries <= DEFERRAL_DELAYS_MS.length; tries += 1) {
    await deferStep(database.pool, await workOf(step), ERROR);
    await database.pool.query(
      `update items set steps = jsonb_set(steps, array[$3, 'retryAt'], '"2020-01-01T00:00:00.000Z"') where project_id = $1 and id = $2`,
      [projectId, id, step],
    );
  }
}

async function lastDelivery(): Promise<Record<string, unknown> | undefined> {
  const { rows } = await database.pool.query<{ item: Record<string, unknown> }>(
    'select item from deliveries where project_id = $1 and item_id = $2 order by id desc limit 1',
    [projectId, id],
  );
  return rows[0]?.item;
}

const NOTHING = { summary: null, moderation: null, searchChunks: null };

describe('new content', () => {
  // proves: states/write-text
  it.each<[string, ItemPatch]>([
    ['a text', { body: 'Другое.' }],
    ['a title', { title: 'Другой' }],
  ])('(%s) removes everything found in the old content', async (_, patch) => {
    await readyText();
    await rewrite(patch);
    expect(await read()).toMatchObject({ status: 'queued', ...NOTHING });
  });

  it('removes everything, whatever media are removed or added', async () => {
    await analyst.put(id, mediaItem('mixed', [medium('image', 'a')]));
    await analyst.analyse(id);
    await rewrite({ media: [medium('image', 'a'), medium('image', 'b')] });
    expect(await read()).toMatchObject(NOTHING);
    await analyst.analyse(id);
    expect(await read()).toMatchObject({ status: 'ready', summary: {}, searchChunks: [{}] });
    await rewrite({ media: [medium('image', 'b')] });
    expect(await read()).toMatchObject(NOTHING);
  });

  it.each<[string, ItemPatch]>([
    ['other fields', { available: false, author: 'b' }],
    ['the same text', { body: textItem().body }],
  ])('does not include a write of %s', async (_, patch) => {
    await readyText();
    await rewrite(patch);
    expect(await read()).toMatchObject({ status: 'ready', summary: {}, moderation: MODERATION, searchChunks: [{}] });
  });

  it('does not include a reprocess or a deletion, because old results still describe the content', async () => {
    await readyText();
    await reprocess(null);
    expect(await read()).toMatchObject({ status: 'queued', summary: {}, moderation: MODERATION, searchChunks: [{}] });
    await deleteItem(database.pool, ref());
    expect(await read()).toMatchObject({ deleted: true, summary: {}, moderation: MODERATION, searchChunks: [{}] });
  });
});

describe('a re-analysis that fails', () => {
  // proves: states/write-text, decisions-results/failed-reanalysis
  it.each([
    ['of other content', () => rewrite()],
    ['of the same content', () => reprocess(null)],
  ])('(%s) removes the summary and the chunks, and sets the resulting status', async (_, outdate) => {
    await readyText();
    await outdate();
    await planItem(database.pool, ref(), {});
    await analyst.finish(id, 'summary', { outcome: FAILED });
    expect(await readEvidence(database.pool, ref())).toMatchObject({ summary: null });
    await analyst.finish(id, 'embedding', { outcome: FAILED });
    expect(await read()).toMatchObject({ status: 'failed', ...NOTHING });
    expect(await lastDelivery()).toEqual({ id, status: 'failed', processing: plain((await look()).steps) });
  });

  // proves: webhook-request/item, decisions-results/moderation
  it('keeps the moderation of the current content', async () => {
    await readyText();
    await rewrite();
    await planItem(database.pool, ref(), {});
    const work = await workOf('summary');
    await completeStep(database.pool, work, FAILED, (client) =>
      replaceModeration(client, work, { moderation: MODERATION, provenance: PROVENANCE }),
    );
    await analyst.finish(id, 'embedding');
    expect(await read()).toMatchObject({ status: 'partial', summary: null, moderation: MODERATION });
    expect(await lastDelivery()).toMatchObject({ status: 'partial', moderation: MODERATION });
    expect(await lastDelivery()).not.toHaveProperty('summary');
  });

  it('shows its new moderation in the older summary too, which stays until there is a new one', async () => {
    await readyText();
    await reprocess(['summary']);
    await planItem(database.pool, ref(), {});
    const work = await workOf('summary');
    await startStep(database.pool, work);
    const moderation = { ...MODERATION, level: 'low' as const };
    await storeModeration(database.pool, work, { moderation, provenance: PROVENANCE });
    await deferStep(database.pool, work, ERROR);
    expect(await read()).toMatchObject({ status: 'deferred', summary: { summary: 'итог', moderation }, moderation });
  });

  it.each(['summary', 'embedding'] as const)(
    'removes the earlier results at the end of its schedule too (%s)',
    async (step) => {
      await readyText();
      await reprocess([step]);
      await planItem(database.pool, ref(), {});
      await exhaust(step);
      if (step === 'summary') await analyst.finish(id, 'embedding');
      expect(await read()).toMatchObject(
        step === 'summary'
          ? { status: 'partial', summary: null, moderation: null }
          : { status: 'failed', searchChunks: null },
      );
    },
  );

  it.each([
    ['speech', { transcript: null }],
    ['vision', { frames: [{ description: '' }] }],
    ['prepare', { transcript: null, frames: null, media: [{ status: 'failed' }] }],
  ] as [MediaStep, object][])(
    'removes the results of a medium at the end of the schedule of its step too (%s)',
    async (step, left) => {
      await analyst.put(id, mediaItem('video', [medium('video', 'a')]));
      await analyst.analyse(id);
      await reprocess(step === 'prepare' ? null : [step]);
      await exhaust(step);
      expect(await read()).toMatchObject(left);
    },
  );

  it('without an embedding provider leaves no vectors', async () => {
    await readyText();
    await rewrite();
    await planItem(database.pool, ref(), {});
    await analyst.finish(id, 'summary');
    await completeStep(database.pool, await workOf('embedding'), { state: 'skipped', error: ERROR });
    expect(await read()).toMatchObject({ status: 'failed', searchChunks: null });
  });
});

describe('frames that are described again', () => {
  it('lose their old description if they are left out', async () => {
    await analyst.put(id, mediaItem('image', [medium('image', 'a')]));
    const [mediumId = ''] = (await planItem(database.pool, ref(), {}))?.todo.prepare ?? [];
    const frames = [0, 1].map((ts) => ({ ts, blobKey: `media/${ts}`, duplicateOfTs: null, flat: false }));
    await storePrepared(database.pool, { ...(await workOf('prepare')), mediumId }, { ...prepared('a'), frames });
    const describe = async (...times: number[]): Promise<void> => {
      const work = { ...(await workOf('vision')), mediumId };
      const described = times.map((ts) => ({
        id: `${ts}`,
        ts,
        description: `вид ${work.revision}`,
        ocrText: null,
        tags: null,
        safety: null,
      }));
      await storeFrameDescriptions(database.pool, work, described, PROVENANCE);
      await endMediumStep(database.pool, work, 'done', null);
    };
    await describe(0, 1);
    expect(await read()).toMatchObject({ frames: [{ description: 'вид 1' }, { description: 'вид 1' }] });
    await reprocess(['vision']);
    await describe(1);
    expect(await read()).toMatchObject({ frames: [{ description: '' }, { description: 'вид 2' }] });
    expect((await readEvidence(database.pool, ref()))?.frames).toMatchObject([{ description: 'вид 2' }]);
  });
});

describe('the previous release', () => {
  /** Removes the revisions from rows, as an older version wrote them. */
  const withoutRevisions = async (): Promise<void> => {
    for (const table of ['item_summaries', 'item_chunks']) {
      await database.pool.query(`alter table ${table} disable trigger user`);
      await database.pool.query(`update ${table} set revision = null where item_id = $1`, [id]);
      await database.pool.query(`alter table ${table} enable trigger user`);
    }
    await database.pool.query('delete from item_moderations where item_id = $1', [id]);
  };
  const endAs = (step: Step, state: string) =>
    database.pool.query(
      `update items set steps = jsonb_set(steps, array[$2, 'state'], to_jsonb($3::text)) where id = $1`,
      [id, step, state],
    );

  it('left results that are valid, including their moderation', async () => {
    await readyText();
    await withoutRevisions();
    expect(await read()).toMatchObject({
      summary: { moderation: MODERATION },
      moderation: MODERATION,
      searchChunks: [{}],
    });
    expect(await readEvidence(database.pool, ref())).toMatchObject({ summary: 'итог' });
    await reprocess(['embedding']);
    await analyst.finish(id, 'embedding');
    expect(await lastDelivery()).toMatchObject({ status: 'ready', summary: {}, moderation: MODERATION });
  });

  it('may leave results of older content, which are ignored', async () => {
    await readyText();
    await withoutRevisions();
    await reprocess(null);
    await endAs('summary', 'failed');
    await endAs('embedding', 'failed');
    expect(await read()).toMatchObject(NOTHING);
    expect(await readEvidence(database.pool, ref())).toMatchObject({ summary: null });
  });

  it('may store results without a revision, to which a trigger adds the current one', async () => {
    await readyText();
    await reprocess(null);
    await planItem(database.pool, ref(), {});
    await startStep(database.pool, await workOf('summary'));
    await database.pool.query(
      `insert into item_summaries (project_id, item_id, summary, provenance) values ($1, $2, '{"summary": "новый"}', '{}')
       on conflict (project_id, item_id) do update set summary = excluded.summary, provenance = excluded.provenance`,
      [projectId, id],
    );
    await endAs('summary', 'done');
    expect(await read()).toMatchObject({ summary: { summary: 'новый' }, moderation: null });
    expect(await readEvidence(database.pool, ref())).toMatchObject({ summary: 'новый' });
  });

  it('left results of failed steps, which the migration removes', async () => {
    await readyText();
    const ready = id;
    id = `${ready}-stale`;
    await readyText();
    await endAs('summary', 'failed');
    await endAs('embedding', 'failed');
    await database.pool.query(`update items set status = 'partial' where id = $1`, [id]);
    const migration = await readFile(
      join(import.meta.dirname, '../../../migrations/0038_result_revisions.sql'),
      'utf8',
    );
    await database.pool.query(migration.slice(migration.indexOf('delete from item_summaries')));
    expect(await read()).toMatchObject({ status: 'failed', summary: null, searchChunks: null });
    const { rows } = await database.pool.query('select from item_chunks where item_id = $1', [id]);
    expect(rows).toEqual([]);
    id = ready;
    expect(await read()).toMatchObject({ status: 'ready', summary: {}, searchChunks: [{}] });
  });
});

describe('the evidence', () => {
  it('names the folder of each recording, whichever kind of file is left in it, and none without files', async () => {
    const media = [medium('audio', 'a'), medium('video', 'b'), medium('image', 'c'), medium('video', 'd')];
    await analyst.put(id, mediaItem('mixed', media));
    await analyst.analyseMedia(id);
    const evidence = await readEvidence(database.pool, ref());
    const ids = evidence?.recordings.map(({ mediumId }) => mediumId) ?? [];
    await database.pool.query('update item_media set audio_key = null where medium_id = $1', [ids[1]]);
    await database.pool.query(
      `with bare as (update item_media set audio_key = null where medium_id = $1)
       delete from item_frames where medium_id = $1`,
      [ids[2]],
    );
    expect((await readEvidence(database.pool, ref()))?.recordings).toEqual([
      { mediumId: ids[0], durationSec: 10, folder: `media/${ids[0]}` },
      { mediumId: ids[1], durationSec: 10, folder: `media/${ids[1]}` },
      { mediumId: ids[2], durationSec: 10, folder: null },
    ]);
  });
});
