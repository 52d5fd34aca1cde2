/**
 * A frame that the provider declines, or about which the model answers nonsense, costs only its own description,
 * wherever the batches are cut.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { storePrepared } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { EmptyAnswerError, ProviderError, UnusableAnswerError } from '../../../providers/errors.ts';
import type { CallContext } from '../../../providers/types.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { Analyst, mediaItem, medium, prepared, PROVENANCE } from '../../support/items/items.ts';
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
const crash = new ProviderError('retryable', 'provider_unavailable', 'The provider failed (HTTP 500)');

interface Trial {
  itemId: string;
  /** Times of the frames that make a request fail: any of them, or with `isAlone` only if there are no others. */
  declined: readonly number[];
  isAlone: boolean;
  error: ProviderError;
  deferrals: number;
  /** Code of the fault that deferred the step. */
  deferredFor?: string | null;
  attempt: number;
}

/** Has a medium of five frames described; returns its state, or the failure, and the times of the described frames. */
async function describeFrames({ itemId, declined, isAlone, error, deferrals, deferredFor = null, attempt }: Trial) {
  const ref = { projectId, itemId };
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
  await database.pool.query(
    `update items set steps = jsonb_set(steps, '{vision}', steps -> 'vision' || $3) where project_id = $1 and id = $2`,
    [projectId, itemId, { deferrals, error: deferredFor === null ? null : { code: deferredFor, message: '' } }],
  );
  let requests = 0;
  let patience: CallContext | undefined;
  const { describeMedium } = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore(dir),
    providers: createFakeProviders({
      vision: {
        model: 'fake-1',
        batchSize: 4,
        async run(input, context) {
          requests += 1;
          patience = context;
          const taken = input.frames.filter(({ id }) => !declined.includes(Number(id)));
          if (isAlone ? taken.length === 0 : taken.length < input.frames.length) throw error;
          const value = taken.map(({ id }) => ({ id, description: 'кадр', ocrText: null, tags: null, safety: null }));
          const usage = { inputTokens: 1, outputTokens: 1, audioSeconds: null, images: taken.length };
          return { value, provenance: PROVENANCE, usage, warnings: [] };
        },
      },
    }),
    models: FAKE_MODELS,
    logger: createLogger('test', 'silent'),
  });
  const environment = new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') });
  const work = { ...ref, mediumId, step: 'vision' as const, revision };
  const failure = await environment.run(describeMedium, work).then(
    () => null,
    (thrown: Error) => thrown.message,
  );
  const { rows } = await database.pool.query<{ state: string; described: number[] }>(
    `select vision as state, array(select ts from item_frames f where f.project_id = m.project_id and f.item_id = m.item_id
                                      and f.description is not null order by ts) as described
       from item_media m where project_id = $1 and item_id = $2`,
    [projectId, ref.itemId],
  );
  return { ...rows[0], failure, requests, patience };
}

it.each([
  ['refusing the last batch', [4], refusal, 'done', [0, 1, 2, 3]],
  ['refusing the first batch', [0, 1, 2, 3], refusal, 'done', [4]],
  ['refusing every batch', TIMES, refusal, 'failed', []],
  ['nonsense about the first batch', [0, 1, 2, 3], nonsense, 'done', [4]],
  ['nonsense about the last batch', [4], nonsense, 'done', [0, 1, 2, 3]],
])('after %s, only the other frames have descriptions', async (name, declined, error, state, described) => {
  const itemId = name.replaceAll(' ', '-');
  const result = await describeFrames({ itemId, declined, isAlone: true, error, deferrals: 0, attempt: 1 });
  expect(result).toMatchObject({ state, described, failure: null });
});

it.each([
  [0, null, 4, { wasUnanswered: false, isLastAttempt: true }],
  [1, 'provider_bad_answer', 4, { wasUnanswered: true, isLastAttempt: true }],
  [1, 'provider_bad_answer', 3, { wasUnanswered: true, isLastAttempt: false }],
  [1, 'provider_unavailable', 4, { wasUnanswered: false, isLastAttempt: true }],
])('a provider is told how earlier tries ended: after %i deferrals for %s, attempt %i', async (...given) => {
  const [deferrals, deferredFor, attempt, patience] = given;
  const itemId = `deferred-${deferrals}-${deferredFor}-${attempt}`;
  const trial = { itemId, declined: [], isAlone: true, error: refusal, deferrals, deferredFor, attempt };
  expect(await describeFrames(trial)).toMatchObject({ patience });
});

describe('a picture about which nothing is answered', () => {
  const silent = (itemId: string, declined: number[], attempt: number) =>
    describeFrames({ itemId, declined, isAlone: true, error: new EmptyAnswerError(), deferrals: 0, attempt });

  it.each([1, 3])('is tried again: attempt %i', async (attempt) => {
    const result = await silent(`silent-${attempt}`, [4], attempt);
    expect(result).toMatchObject({ state: 'todo', described: [0, 1, 2, 3], requests: 2 });
    expect(result.failure).toContain('provider_bad_answer');
  });

  it.each([
    ['last', [4], [0, 1, 2, 3]],
    ['first', [0, 1, 2, 3], [4]],
  ])('is left out in the last attempt: the %s', async (name, declined, described) => {
    expect(await silent(`silent-${name}`, declined, 4)).toMatchObject({ state: 'done', described, failure: null });
  });

  it('fails with the others if nothing is answered about any', async () => {
    const result = await silent('silent-all', TIMES, 4);
    expect(result).toMatchObject({ state: 'todo', described: [] });
    expect(result.failure).toContain('provider_bad_answer');
  });
});

describe('a picture that brings the server down', () => {
  const crashing = (itemId: string, declined: number[], deferrals: number, attempt: number) =>
    describeFrames({ itemId, declined, isAlone: false, error: crash, deferrals, attempt });

  it.each([
    ['first', [0], [1, 2, 3, 4]],
    ['third', [2], [0, 1, 3, 4]],
    ['last', [4], [0, 1, 2, 3]],
  ])('is left out alone in the last try: the %s', async (name, declined, described) => {
    const result = await crashing(`crash-${name}`, declined, 4, 4);
    expect(result).toMatchObject({ state: 'done', described, failure: null });
  });

  it.each([
    [3, 4],
    [4, 3],
  ])('is tried again as long as there are tries: after %i deferrals, attempt %i', async (deferrals, attempt) => {
    const result = await crashing(`crash-${deferrals}-${attempt}`, [4], deferrals, attempt);
    expect(result).toMatchObject({ state: 'todo', described: [0, 1, 2, 3], requests: 2 });
    expect(result.failure).toContain('provider_unavailable');
  });

  it('is not to blame if every request fails', async () => {
    const result = await crashing('crash-all', TIMES, 4, 4);
    expect(result).toMatchObject({ state: 'todo', described: [], requests: 4 });
    expect(result.failure).toContain('provider_unavailable');
  });
});
