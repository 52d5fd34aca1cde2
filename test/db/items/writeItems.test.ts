import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { endMediumStep } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { deleteItem, patchItem, putItem, reprocessItem } from '../../../db/items/writeItems.ts';
import type { ItemContent, ItemPatch } from '../../../domain/items/item.ts';
import { mapSteps, STEPS, type Step } from '../../../domain/analysis/steps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSilentWebhook, Analyst, mediaItem, mediaOf, medium, plain, snapshot } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };
const SUMMARISED = ['summary', 'embedding'];

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

const look = () => snapshot(database.pool, projectId, id);
const patch = (change: ItemPatch) =>
  patchItem(database.pool, { projectId, itemId: id, patch: change, requestId: null });

/** Writes an item, analyses it, empties the outbox and returns a snapshot. */
async function ready(content: ItemContent) {
  await analyst.put(id, content);
  await analyst.analyse(id);
  await database.pool.query('delete from outbox');
  const before = await look();
  expect(before.status).toBe('ready');
  return before;
}

/** Returns the steps whose revision has changed. */
async function outdatedSince(before: Awaited<ReturnType<typeof look>>): Promise<Step[]> {
  const { steps } = await look();
  return STEPS.filter((step) => steps[step].revision !== before.steps[step].revision);
}

describe('a new item', () => {
  // proves: service/1, states/201-or-200, decisions-items/new-item
  it.each<[string, ItemContent]>([
    ['text', textItem()],
    ['video', mediaItem('video', [medium('video', 'a')])],
    ['image', mediaItem('image', [medium('image', 'a')])],
    ['audio', mediaItem('audio', [medium('audio', 'a')])],
    ['mixed', mediaItem('mixed', [])],
  ])('of type %s is queued with all five steps queued', async (_, content) => {
    const { created, item } = await analyst.put(id, content);
    expect({ created, status: item.status, steps: plain(item.steps) }).toEqual({
      created: true,
      status: 'queued',
      steps: mapSteps(() => 'queued'),
    });
    expect(await look()).toMatchObject({ status: 'queued', revision: 1, outbox: 1, events: [], deleted: false });
  });

  // proves: write/published_at
  it('is published at its creation if it has no published_at', async () => {
    await analyst.put(id, textItem());
    const { rows } = await database.pool.query(
      'select published_at = created_at as same from items where project_id = $1 and id = $2',
      [projectId, id],
    );
    expect(rows).toEqual([{ same: true }]);
  });
});

describe('an identical PUT', () => {
  const full = (): ItemContent =>
    textItem({
      author: 'a',
      url: 'https://x.test/',
      publishedAt: new Date('2026-01-02T03:04:05.678Z'),
      properties: { b: 1, a: [{ z: null, y: 'ё' }], n: 1e21, zero: -0 },
      available: false,
    });
  // proves: decisions-items/identical-put
  it.each<[string, () => ItemContent]>([
    ['a text', textItem],
    ['every field', full],
    ['media', () => mediaItem('mixed', [medium('video', 'a', '1'), medium('image', 'b'), medium('image', 'b')])],
  ])('of %s changes nothing, before and after the analysis', async (_, content) => {
    await analyst.put(id, content());
    const fresh = await look();
    expect(await analyst.put(id, content())).toMatchObject({ created: false });
    expect(await look()).toEqual(fresh);
    await analyst.analyse(id);
    const analysed = await look();
    expect(analysed).toMatchObject({ status: 'ready', events: ['item.processed'] });
    const { properties } = content();
    await analyst.put(id, {
      ...content(),
      properties: properties && Object.fromEntries(Object.entries(properties).reverse()),
    });
    expect(await look()).toEqual(analysed);
  });
});

describe('a write of', () => {
  // proves: states/write-text, webhook-kinds/2, decisions-items/text
  it.each<[string, ItemPatch]>([
    ['title', { title: 'Другой' }],
    ['description', { description: 'Иное' }],
    ['body', { body: 'Новый текст.' }],
    ['no title', { title: null }],
  ])('%s outdates summary and embedding', async (_, change) => {
    const before = await ready(textItem());
    expect(await patch(change)).toMatchObject({ status: 'queued' });
    expect(await outdatedSince(before)).toEqual(SUMMARISED);
    const after = await look();
    expect(after).toMatchObject({ revision: before.revision + 1, outbox: 1, status: 'queued' });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    await analyst.analyse(id);
    expect((await look()).events).toEqual(['item.processed', 'item.processed']);
  });

  // proves: states/write-other, webhook-kinds/3, decisions-items/updated_at-write
  it.each<[string, ItemPatch]>([
    ['available', { available: false }],
    ['properties', { properties: { a: 1 } }],
    ['url', { url: 'https://x.test/' }],
    ['published_at', { publishedAt: new Date(0) }],
    ['author', { author: 'b' }],
  ])('%s alone outdates nothing and sends no event', async (_, change) => {
    const before = await ready(textItem());
    await patch(change);
    const after = await look();
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
  });

  // proves: decisions-items/text
  it('the type alone outdates summary and embedding', async () => {
    const content = mediaItem('video', [medium('video', 'a')]);
    const before = await ready(content);
    await analyst.put(id, { ...content, type: 'mixed' });
    expect(await outdatedSince(before)).toEqual(SUMMARISED);
  });

  it('a type that uses more of the media outdates the steps that become applicable', async () => {
    const content = mediaItem('image', [medium('image', 'a'), medium('audio', 'b')]);
    const before = await ready(content);
    expect(plain(before.steps)).toMatchObject({ speech: 'skipped', vision: 'done' });
    await analyst.put(id, { ...content, type: 'mixed' });
    expect(await outdatedSince(before)).toEqual(['speech', ...SUMMARISED]);
    await analyst.analyse(id);
    expect(plain((await look()).steps)).toMatchObject({ speech: 'done', vision: 'done', embedding: 'done' });
  });
});

describe('media', () => {
  const three = [medium('video', 'a'), medium('image', 'b'), medium('image', 'c')];

  // proves: decisions-items/reordered-media, decisions-items/updated_at-write
  it('keep their results when they are reordered, at their new positions', async () => {
    const before = await ready(mediaItem('mixed', three));
    const rows = await mediaOf(database.pool, projectId, id);
    await patch({ media: three.toReversed() });
    const after = await look();
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await mediaOf(database.pool, projectId, id)).map((row) => row.id)).toEqual(
      rows.map((row) => row.id).toReversed(),
    );
    const item = await readItem(database.pool, projectId, id, ALL);
    expect(item?.transcript?.map(({ mediaPosition, text }) => [mediaPosition, text])).toEqual([
      [2, `речь ${rows[0]?.id}`],
    ]);
    expect(item?.frames?.map(({ mediaPosition }) => mediaPosition)).toEqual([0, 1, 2]);
  });

  // proves: states/write-medium, webhook-kinds/2
  it.each([
    ['url', [medium('video', 'a'), medium('image', 'other'), medium('image', 'c')]],
    // proves: write/MediaIn
    ['version', [medium('video', 'a'), medium('image', 'b', '2'), medium('image', 'c')]],
  ])('are processed again if their %s changes, and the others are not', async (_, changed) => {
    const before = await ready(mediaItem('mixed', three));
    const rows = await mediaOf(database.pool, projectId, id);
    await patch({ media: changed });
    expect(await outdatedSince(before)).toEqual([...STEPS]);
    const after = await mediaOf(database.pool, projectId, id);
    expect(after.map((row) => [row.prepare, row.status])).toEqual([
      ['done', 'ready'],
      ['todo', 'new'],
      ['done', 'ready'],
    ]);
    expect([after[0]?.id, after[2]?.id]).toEqual([rows[0]?.id, rows[2]?.id]);
    const plan = await planItem(database.pool, { projectId, itemId: id }, {});
    expect(plan?.todo).toEqual({ prepare: [after[1]?.id], speech: [after[1]?.id], vision: [after[1]?.id] });
    await analyst.analyse(id);
    expect(await look()).toMatchObject({ status: 'ready', events: ['item.processed', 'item.processed'] });
  });

  it('take their results along when they are removed, and outdate summary and embedding', async () => {
    const before = await ready(mediaItem('mixed', three));
    await patch({ media: three.slice(1) });
    expect(await outdatedSince(before)).toEqual(SUMMARISED);
    expect(await readItem(database.pool, projectId, id, ALL)).toMatchObject({ transcript: null, status: 'processing' });
    await analyst.analyse(id);
    expect(plain((await look()).steps)).toEqual({
      prepare: 'done',
      speech: 'skipped',
      vision: 'done',
      summary: 'done',
      embedding: 'done',
    });
  });

  it('leave nothing to prepare when all are removed and the type becomes text', async () => {
    await ready(mediaItem('mixed', three));
    await analyst.put(id, textItem());
    await analyst.analyse(id);
    expect(await look()).toMatchObject({ status: 'ready' });
    expect(plain((await look()).steps)).toEqual({
      prepare: 'skipped',
      speech: 'skipped',
      vision: 'skipped',
      summary: 'done',
      embedding: 'done',
    });
    expect(await mediaOf(database.pool, projectId, id)).toEqual([]);
  });

  it('are prepared when they are added to a text', async () => {
    await ready(textItem());
    await analyst.put(id, mediaItem('image', [medium('image', 'a')]));
    expect(plain((await look()).steps)).toEqual(mapSteps(() => 'queued'));
    await analyst.analyse(id);
    expect(plain((await look()).steps)).toEqual({
      prepare: 'done',
      speech: 'skipped',
      vision: 'done',
      summary: 'done',
      embedding: 'done',
    });
  });
});

describe('deletion', () => {
  // proves: decisions-items/updated_at-write
  it('is soft, and may be repeated', async () => {
    const before = await ready(textItem());
    expect(await deleteItem(database.pool, { projectId, itemId: id })).toBe(true);
    const after = await look();
    expect(after).toMatchObject({ deleted: true, status: 'ready', outbox: 0, events: before.events });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await deleteItem(database.pool, { projectId, itemId: id })).toBe(true);
    expect(await look()).toEqual(after);
    expect(await deleteItem(database.pool, { projectId, itemId: 'nobody' })).toBe(false);
  });

  // proves: states/deleted-patch
  it('is not undone by PATCH, which starts no analysis', async () => {
    await ready(textItem());
    await deleteItem(database.pool, { projectId, itemId: id });
    expect(await patch({ body: 'После удаления.' })).toMatchObject({ deleted: true });
    expect(await look()).toMatchObject({ deleted: true, outbox: 0 });
    expect(await planItem(database.pool, { projectId, itemId: id }, {})).toBeNull();
  });

  // proves: decisions-items/reprocess-deleted
  it('is not undone by reprocess', async () => {
    await ready(textItem());
    await deleteItem(database.pool, { projectId, itemId: id });
    const before = await look();
    expect(await reprocessItem(database.pool, { projectId, itemId: id, steps: null, requestId: null })).toBeNull();
    expect(await look()).toEqual(before);
  });

  // proves: service/7, decisions-items/undeletion
  it('is undone by PUT, and a finished analysis stays as it is', async () => {
    const before = await ready(textItem());
    await deleteItem(database.pool, { projectId, itemId: id });
    expect(await analyst.put(id, textItem())).toMatchObject({
      created: false,
      item: { deleted: false, status: 'ready' },
    });
    const after = await look();
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
  });

  // proves: states/deleted-put, decisions-items/undeletion
  it('is undone by PUT, which resumes only unfinished work', async () => {
    await analyst.put(id, mediaItem('image', [medium('image', 'a')]));
    const ref = { projectId, itemId: id };
    const plan = await planItem(database.pool, ref, {});
    const mediumId = plan?.todo.prepare[0] ?? '';
    await analyst.doMedium({ ...ref, step: 'prepare', revision: 1, mediumId });
    await planItem(database.pool, ref, {});
    await startStep(database.pool, { ...ref, step: 'vision', revision: 1 });
    await deleteItem(database.pool, ref);
    expect(await look()).toMatchObject({ deleted: true, status: 'processing', outbox: 2 });
    expect(plain((await look()).steps)).toEqual({
      prepare: 'done',
      speech: 'skipped',
      vision: 'queued',
      summary: 'queued',
      embedding: 'queued',
    });
    await database.pool.query('delete from outbox');
    const undeleted = await analyst.put(id, mediaItem('image', [medium('image', 'a')]));
    expect(plain(undeleted.item.steps)).toMatchObject({ prepare: 'done', vision: 'queued' });
    expect(await look()).toMatchObject({ deleted: false, revision: 1, outbox: 1 });
    await analyst.analyse(id);
    expect(await look()).toMatchObject({ status: 'ready', events: ['item.processed'] });
  });

  // proves: webhook-kinds/4
  it('sends no event for results that still come in', async () => {
    await analyst.put(id, textItem());
    await planItem(database.pool, { projectId, itemId: id }, {});
    await analyst.finish(id, 'summary');
    await deleteItem(database.pool, { projectId, itemId: id });
    expect(await analyst.finish(id, 'embedding', { revision: 1 })).toBeNull();
    expect(await look()).toMatchObject({ events: [], deleted: true });
  });
});

describe('reprocess', () => {
  const content = mediaItem('video', [medium('video', 'a'), medium('image', 'b')]);
  const asked = ['speech', 'vision', 'summary', 'embedding'] as const;
  const closure = {
    speech: ['speech', 'summary', 'embedding'],
    vision: ['vision', 'summary', 'embedding'],
    summary: ['summary', 'embedding'],
    embedding: ['embedding'],
  };
  const subsets = Array.from({ length: 16 }, (_, bits) => asked.filter((_step, index) => bits & (1 << index)));

  it.each([null, ...subsets.filter((steps) => steps.length > 0)].map((steps) => [steps]))(
    'of %j outdates these steps and their dependents',
    async (steps) => {
      const before = await ready(content);
      const head = await reprocessItem(database.pool, {
        projectId,
        itemId: id,
        steps: steps && [...steps],
        requestId: null,
      });
      const ought = STEPS.filter((step) => steps === null || steps.some((each) => closure[each].includes(step)));
      expect(await outdatedSince(before)).toEqual(ought);
      expect(STEPS.filter((step) => head?.steps[step].state === 'queued')).toEqual(ought);
      const media = await mediaOf(database.pool, projectId, id);
      for (const step of ['prepare', 'speech', 'vision'] as const)
        expect(media.some((each) => each[step] === 'todo')).toBe(ought.includes(step));
      expect((await look()).outbox).toBe(1);
      await analyst.analyse(id);
      expect(await look()).toMatchObject({ status: 'ready', events: ['item.processed', 'item.processed'] });
    },
  );

  it('leaves out media that give a step nothing: pictures have no speech, and what could not be prepared has nothing', async () => {
    const kinds = ['video', 'image', 'audio', 'video'] as const;
    await analyst.put(
      id,
      mediaItem(
        'mixed',
        kinds.map((kind, index) => medium(kind, `${index}`)),
      ),
    );
    const ref = { projectId, itemId: id };
    const plan = await planItem(database.pool, ref, {});
    const [video = '', image = '', audio = '', lost = ''] = plan?.todo.prepare ?? [];
    const prepare = { ...ref, step: 'prepare', revision: 1 } as const;
    for (const mediumId of [video, image, audio]) await analyst.doMedium({ ...prepare, mediumId });
    await endMediumStep(database.pool, { ...prepare, mediumId: lost }, 'failed', {
      code: 'media_not_found',
      message: '',
    });
    await analyst.analyse(id);

    const redone = async (steps: Step[] | null) => {
      await reprocessItem(database.pool, { ...ref, steps, requestId: null });
      const media = await mediaOf(database.pool, projectId, id);
      const todo = (step: 'prepare' | 'speech' | 'vision') => media.flatMap((m) => (m[step] === 'todo' ? [m.id] : []));
      return { speech: todo('speech'), vision: todo('vision') };
    };
    expect(await redone(['speech'])).toEqual({ speech: [video, audio], vision: [] });
    await analyst.analyse(id);
    expect(await redone(['vision'])).toEqual({ speech: [], vision: [video, image] });
    await analyst.analyse(id);
    expect(await redone(null)).toEqual({ speech: [video, audio, lost], vision: [video, image, lost] });
  });

  it('of an unknown item returns null', async () => {
    expect(
      await reprocessItem(database.pool, { projectId, itemId: 'nobody', steps: null, requestId: null }),
    ).toBeNull();
  });
});

describe('an item with the origin order', () => {
  // proves: webhook-kinds/4
  it('sends no events', async () => {
    await putItem(database.pool, { projectId, itemId: id, content: textItem(), origin: 'order', requestId: null });
    await analyst.analyse(id);
    expect(await look()).toMatchObject({ status: 'ready', events: [] });
  });
});
