/** Vectors of pictures, from an item's frames to the stored rows, with both request formats of servers. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import sharp from 'sharp';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import { endMediumStep, storeFrameDescriptions, storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { readItemVectors } from '../../../db/output/itemVectors.ts';
import { patchItem } from '../../../db/items/writeItems.ts';
import type { StepResult, StepWork } from '../../../domain/jobs/workflowMessages.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createPictureEmbedding } from '../../../providers/openai/index.ts';
import type { PictureProtocol } from '../../../providers/openai/embedding/embeddingTraits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { Analyst, mediaItem, medium, prepared, PROVENANCE, snapshot } from '../../support/items/items.ts';
import { startOpenAiServer, type OpenAiServer, type Reply } from '../../support/openai/openaiServer.ts';
import { createTestProject } from '../../support/project.ts';

const COLOURS = { red: '#e01010', green: '#10c010', blue: '#1010e0' };
let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let server: OpenAiServer;
let dir: string;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
  dir = await mkdtemp(join(tmpdir(), 'attune-pictures-'));
  for (const [name, background] of Object.entries(COLOURS))
    await sharp({ create: { width: 32, height: 32, channels: 3, background } })
      .jpeg()
      .toFile(join(dir, `${name}.jpg`));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await database.drop();
});
beforeEach(async () => {
  count += 1;
  id = `item-${count}`;
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

/** Returns the mean colour of a picture as its vector. */
async function look(base64: string): Promise<number[]> {
  const { channels } = await sharp(Buffer.from(base64, 'base64')).stats();
  return channels.map(({ mean }) => mean / 255);
}

const embedder = (protocol: PictureProtocol) =>
  createPictureEmbedding({
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model: 'clip',
    requestTimeoutMs: 60_000,
    protocol,
    batchSize: 2,
    similarityThreshold: 0.25,
  });

function embed(work: StepWork, protocol: PictureProtocol = 'jina'): Promise<StepResult> {
  const activities = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore(dir),
    providers: createFakeProviders({ pictures: embedder(protocol) }),
    models: { ...FAKE_MODELS, embedding: 'fake/1 + openai/clip' },
    logger: createLogger('test', 'silent'),
  });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  return environment.run(activities.embedItem, work) as Promise<StepResult>;
}

/** Returns the work of embedding a video with a frame of each colour and no descriptions. */
async function filmWork(title: string | null = 'Фильм'): Promise<StepWork> {
  const ref = { projectId, itemId: id };
  await analyst.put(id, mediaItem('video', [medium('video', id)], { title }));
  const plan = await planItem(database.pool, ref, {});
  const prepare = {
    ...ref,
    step: 'prepare' as const,
    revision: plan?.steps.prepare.revision ?? 0,
    mediumId: plan?.todo.prepare[0] ?? '',
  };
  await startStep(database.pool, prepare);
  const frames = Object.keys(COLOURS).map((name, ts) => ({
    ts,
    blobKey: `${name}.jpg`,
    duplicateOfTs: null,
    flat: false,
  }));
  await storePrepared(database.pool, prepare, { ...prepared('a'), audioKey: null, frames });
  const seen = await planItem(database.pool, ref, {});
  await storeFrameDescriptions(
    database.pool,
    { ...prepare, step: 'vision', revision: seen?.steps.vision.revision ?? 0 },
    [],
    PROVENANCE,
  );
  return { ...ref, step: 'embedding', revision: seen?.steps.embedding.revision ?? 0 };
}

async function stored(): Promise<{ ts: number; model: string; vector: number[] }[]> {
  const { rows } = await database.pool.query<{ ts: number; model: string; vector: Buffer }>(
    'select ts, model, vector from item_picture_vectors where project_id = $1 and item_id = $2 order by ordinal',
    [projectId, id],
  );
  return rows.map(({ vector, ...row }) => ({ ...row, vector: [...new Float32Array(Uint8Array.from(vector).buffer)] }));
}

const picturesOf = (body: unknown): string[] =>
  (body as { input: (string | { image: string })[] }).input.map((part) =>
    typeof part === 'string' ? part.replace('data:image/jpeg;base64,', '') : part.image,
  );

/** Makes the server answer with the mean colours of the pictures, in the order of the frames. */
async function lookingServer(): Promise<void> {
  const seen = new Map<string, number[]>();
  for (const name of Object.keys(COLOURS)) {
    const base64 = (await sharp(join(dir, `${name}.jpg`)).toBuffer({ resolveWithObject: false })).toString('base64');
    seen.set(name, await look(base64));
  }
  server.script('/embeddings', ({ body }, index) => {
    const vectors = picturesOf(body).map((_, at) => [...seen.values()][index * 2 + at]);
    const data = vectors.map((embedding, at) => ({ object: 'embedding', index: at, embedding }));
    return { json: { object: 'list', data, usage: { total_tokens: 8, prompt_tokens: 8 } } };
  });
}

describe('the pictures of an item', () => {
  it.each<PictureProtocol>(['jina', 'infinity'])(
    'get vectors from a server that takes requests in the form %s',
    async (protocol) => {
      await lookingServer();
      expect(await embed(await filmWork(), protocol)).toMatchObject({ embedding: { state: 'done' } });
      const vectors = await stored();
      expect(vectors.map(({ ts, model }) => [ts, model])).toEqual([
        [0, 'clip'],
        [1, 'clip'],
        [2, 'clip'],
      ]);
      for (const [at, { vector }] of vectors.entries()) expect(vector.indexOf(Math.max(...vector))).toBe(at);
      expect(server.requests).toHaveLength(2);
      const { rows } = await database.pool.query(
        `select capability, model, sum(images)::int as images from analysis_usage where item_id = $1 and capability = 'pictures' group by 1, 2`,
        [id],
      );
      expect(rows).toEqual([{ capability: 'pictures', model: 'clip', images: 3 }]);
    },
  );

  it('lose their vectors when the content of the item changes', async () => {
    await lookingServer();
    await embed(await filmWork());
    await patchItem(database.pool, { projectId, itemId: id, patch: { title: 'Другой' }, requestId: null });
    expect(await stored()).toEqual([]);
  });

  it('make an item without words findable', async () => {
    await lookingServer();
    expect(await embed(await filmWork(null))).toMatchObject({ embedding: { state: 'done' } });
    expect(await stored()).toHaveLength(3);
  });

  it('keep an item without words from failing, even if another step ends last', async () => {
    await lookingServer();
    const { revision: _, ...work } = await filmWork(null);
    const { steps } = await snapshot(database.pool, projectId, id);
    await embed({ ...work, revision: steps.embedding.revision });
    const [mediumId = ''] = (await planItem(database.pool, { projectId, itemId: id }, {}))?.media ?? [];
    await endMediumStep(
      database.pool,
      { ...work, step: 'vision', revision: steps.vision.revision, mediumId },
      'done',
      null,
    );
    const speech = { ...work, step: 'speech' as const, revision: steps.speech.revision, mediumId };
    await endMediumStep(database.pool, speech, 'skipped', null);
    await planItem(database.pool, { projectId, itemId: id }, {});
    await analyst.finish(id, 'summary', { outcome: { state: 'skipped', error: null } });
    expect(await snapshot(database.pool, projectId, id)).toMatchObject({ status: 'ready' });
  });

  const AWAY: Reply = { status: 503, raw: '' };
  const WRONG_KEY: Reply = { status: 401, json: { error: { message: 'unknown key' } } };
  const REFUSAL: Reply = { status: 400, json: { error: { message: 'no pictures here' } } };
  const TOO_FEW: Reply = { json: { object: 'list', data: [] } };

  /** Stores the number of times for which the step counts as deferred. */
  const defer = (times: number) =>
    database.pool.query(`update items set steps = jsonb_set(steps, '{embedding,deferrals}', $2) where id = $1`, [
      id,
      String(times),
    ]);

  it.each<[string, Reply, boolean, number]>([
    ['is away', AWAY, false, 0],
    ['is still away after one deferral', AWAY, false, 1],
    ['answers too few vectors', TOO_FEW, false, 0],
  ])('defer the step when the server %s', async (_, reply, nonRetryable, deferrals) => {
    server.script('/embeddings', () => reply);
    const work = await filmWork();
    await defer(deferrals);
    await expect(embed(work)).rejects.toMatchObject({ nonRetryable });
    expect(await stored()).toEqual([]);
  });

  it.each<[string, Reply, number, string]>([
    ['refuses them', REFUSAL, 0, 'fake/1 + openai/clip'],
    ['refuses the key', WRONG_KEY, 0, 'fake/1'],
    ['is still away after two deferrals', AWAY, 2, 'fake/1'],
    ['still answers too few vectors after two deferrals', TOO_FEW, 2, 'fake/1'],
  ])('stay without vectors when the server %s, and the words keep theirs', async (_, reply, deferrals, model) => {
    server.script('/embeddings', () => reply);
    const work = await filmWork();
    await defer(deferrals);
    expect(await embed(work)).toMatchObject({ embedding: { state: 'done', model } });
    expect(await stored()).toEqual([]);
  });

  it.each<[string, Reply, number, boolean]>([
    ['is away', AWAY, 0, false],
    ['is still away after four deferrals', AWAY, 4, false],
    ['refuses the key', WRONG_KEY, 0, true],
  ])('without words make the attempt fail when the server %s', async (_, reply, deferrals, isFinal) => {
    server.script('/embeddings', () => reply);
    const work = await filmWork(null);
    await defer(deferrals);
    await expect(embed(work)).rejects.toMatchObject({ nonRetryable: isFinal });
  });

  it('without words fail with the code of the refusal', async () => {
    server.script('/embeddings', () => REFUSAL);
    expect(await embed(await filmWork(null))).toMatchObject({
      embedding: { state: 'failed', error: { code: 'provider_bad_request' } },
    });
  });

  it.each(['red', 'blue'])('get vectors except for the one that the server refuses (%s)', async (name) => {
    const refused = (await readFile(join(dir, `${name}.jpg`))).toString('base64');
    server.script('/embeddings', ({ body }) => {
      const pictures = picturesOf(body);
      if (pictures.includes(refused)) return REFUSAL;
      return { json: { data: pictures.map((_, index) => ({ index, embedding: [3, 4] })) } };
    });
    expect(await embed(await filmWork())).toMatchObject({
      embedding: { state: 'done', model: 'fake/1 + openai/clip' },
    });
    expect((await stored()).map(({ ts }) => ts)).toEqual(name === 'red' ? [1, 2] : [0, 1]);
  });

  it.each([
    ['a title', 'Фильм', 2],
    ['nothing else', null, 2],
  ])('with %s keep the vectors of the batches before the server went away', async (_, title, deferrals) => {
    server.script('/embeddings', ({ body }, index) =>
      index === 0 ? { json: { data: picturesOf(body).map((__, at) => ({ index: at, embedding: [3, 4] })) } } : AWAY,
    );
    const work = await filmWork(title);
    await defer(deferrals);
    expect(await embed(work)).toMatchObject({ embedding: { state: 'done', model: 'fake/1' } });
    expect((await stored()).map(({ ts }) => ts)).toEqual([0, 1]);
  });

  it('share one vector of their words, and each have a vector of their own', async () => {
    await lookingServer();
    const work = await filmWork();
    await database.pool.query(
      `update item_frames set description = 'Кадр ' || ts, revision = revision where item_id = $1`,
      [id],
    );
    await database.pool.query(`update item_media set vision = 'done' where item_id = $1`, [id]);
    expect(await embed(work)).toMatchObject({ embedding: { state: 'done', model: 'fake/1 + openai/clip' } });
    const { rows } = await database.pool.query(
      `select text, start_sec, octet_length(vector) > 0 as "hasVector", octet_length(frame_vector) as "ownBytes"
         from item_chunks where item_id = $1 and medium_id is not null order by ordinal`,
      [id],
    );
    expect(rows).toEqual([
      { text: 'Кадр 0', start_sec: 0, hasVector: true, ownBytes: 4 },
      { text: 'Кадр 1', start_sec: 1, hasVector: false, ownBytes: 4 },
      { text: 'Кадр 2', start_sec: 2, hasVector: false, ownBytes: 4 },
    ]);
    const vectors = await readItemVectors(database.pool, projectId, [id]);
    expect(vectors.get(id)?.vector).toHaveLength(4);
  });
});

describe('words', () => {
  it.each<[PictureProtocol, object]>([
    ['jina', { input: [{ text: 'закат' }], embedding_type: 'float', normalized: true }],
    ['infinity', { input: ['закат'], encoding_format: 'float', modality: 'text' }],
  ])(
    'get vectors in the space of pictures from a server that takes requests in the form %s',
    async (protocol, sent) => {
      server.script('/embeddings', () => ({ json: { data: [{ index: 0, embedding: [3, 4] }] } }));
      const context = { signal: new AbortController().signal, progress: () => undefined };
      const { value } = await embedder(protocol).embedQuery('закат', context);
      expect([...value]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)]);
      expect(server.requests[0]?.body).toEqual({ model: 'clip', ...sent });
    },
  );
});
