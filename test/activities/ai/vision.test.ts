/**
 * A frame that the provider declines, or about which the model answers nonsense, costs only its own description,
 * wherever the batches are cut.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { storePrepared } from '../../../db/analysis/media.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { ProviderError, UnusableAnswerError } from '../../../providers/errors.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS } from '../../support/fakeProviders.ts';
import { Analyst, mediaItem, medium, prepared, PROVENANCE } from '../../support/items.ts';
import { createTestProject } from '../../support/project.ts';

/** Batches of four: the fifth frame is alone. */
const TIMES = [0, 1, 2, 3, 4];

let database: TestDatabase;
let projectId: string;
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  dir = await mkdtemp(join(tmpdir(), 'attune-vision-'));
  await writeFile(join(dir, 'frame.jpg'), '');
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await database.drop();
});

const refusal = new ProviderError('refused', 'provider_refused', 'The model refused the content');
const nonsense = new UnusableAnswerError('provider_bad_answer', 'it does not follow the schema');

it.each([
  ['refusing the last batch', [4], refusal, 'done', [0, 1, 2, 3]],
  ['refusing the first batch', [0, 1, 2, 3], refusal, 'done', [4]],
  ['refusing every batch', TIMES, refusal, 'failed', []],
  ['nonsense about the first batch', [0, 1, 2, 3], nonsense, 'done', [4]],
  ['nonsense about the last batch', [4], nonsense, 'done', [0, 1, 2, 3]],
])('%s', async (name, declined, error, state, described) => {
  const ref = { projectId, itemId: name.replaceAll(' ', '-') };
  await new Analyst(database.pool, projectId).put(ref.itemId, mediaItem('video', [medium('video', 'v')]));
  const plan = await planItem(database.pool, ref, {});
  const mediumId = plan?.todo.prepare[0] ?? '';
  const frames = TIMES.map((ts) => ({ ts, blobKey: 'frame.jpg', duplicateOfTs: null, flat: false }));
  await storePrepared(
    database.pool,
    { ...ref, mediumId, step: 'prepare', revision: plan?.steps.prepare.revision ?? 0 },
    { ...prepared('v'), audioKey: null, frames },
  );
  const revision = (await planItem(database.pool, ref, {}))?.steps.vision.revision ?? 0;
  const { describeMedium } = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore(dir),
    providers: createFakeProviders({
      vision: {
        model: 'fake-1',
        batchSize: 4,
        async run(input) {
          const taken = input.frames.filter(({ id }) => !declined.includes(Number(id)));
          if (taken.length === 0) throw error;
          const value = taken.map(({ id }) => ({ id, description: 'кадр', ocrText: null, tags: null, safety: null }));
          const usage = { inputTokens: 1, outputTokens: 1, audioSeconds: null, images: taken.length };
          return { value, provenance: PROVENANCE, usage, warnings: [] };
        },
      },
    }),
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
  const attempt = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await attempt.run(describeMedium, { ...ref, mediumId, step: 'vision' as const, revision });
  const { rows } = await database.pool.query<{ state: string; described: number[] }>(
    `select vision as state, array(select ts from item_frames f where f.project_id = m.project_id and f.item_id = m.item_id
                                      and f.description is not null order by ts) as described
       from item_media m where project_id = $1 and item_id = $2`,
    [projectId, ref.itemId],
  );
  expect(rows).toEqual([{ state, described }]);
});
