/**
 * Vectors of two models are never mixed: each chunk records its model, and an item's chunks all have the same one.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { recordModels } from '../../../db/analysis/stepModels.ts';
import type { StepModels } from '../../../domain/analysis/stepModels.ts';
import type { StepResult, StepWork } from '../../../domain/jobs/workflowMessages.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createBuiltinProviders, type BuiltinProviders } from '../../../providers/builtin/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testSentenceEncoder } from '../../support/programs/engines.ts';
import { createFakeProviders, FAKE_MODELS } from '../../support/items/fakeProviders.ts';
import { Analyst } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

const LEXICAL = 'builtin-embed-2';
const MEANING = 'builtin-use-multilingual-v3';

let database: TestDatabase;
let projectId: string;
let analyst: Analyst;
let providers: Record<'lexical' | 'meaning', BuiltinProviders>;

beforeAll(async () => {
  database = await createTestDatabase();
  projectId = await createTestProject(database.pool);
  analyst = new Analyst(database.pool, projectId);
  providers = {
    lexical: createBuiltinProviders({ tessdataDirs: [] }),
    meaning: createBuiltinProviders({ tessdataDirs: [], sentenceEncoderDir: await testSentenceEncoder() }),
  };
});
afterAll(async () => {
  await Promise.all([providers.lexical.close(), providers.meaning.close()]);
  await database.drop();
});

const modelsWith = (embedding: string): StepModels => ({ ...FAKE_MODELS, embedding });

/** Embeds an item as a worker with that embedding does. */
async function embed(itemId: string, kind: 'lexical' | 'meaning'): Promise<void> {
  const { embedding } = providers[kind];
  const activities = createAiActivities({
    pool: database.pool,
    blobs: createLocalBlobStore('/nowhere'),
    providers: createFakeProviders({ embedding }),
    models: modelsWith(embedding.model),
    logger: createLogger('test', 'silent'),
  });
  const plan = await planItem(database.pool, { projectId, itemId }, {});
  const work: StepWork = { projectId, itemId, step: 'embedding', revision: plan?.steps.embedding.revision ?? 0 };
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const result = (await environment.run(activities.embedItem, work)) as StepResult;
  expect(result).toMatchObject({ embedding: { state: 'done', model: embedding.model } });
}

async function chunks(itemId: string): Promise<{ model: string; numbers: number }[]> {
  const { rows } = await database.pool.query<{ model: string; numbers: number }>(
    `select model, octet_length(vector) / 4 as numbers from item_chunks
      where project_id = $1 and item_id = $2 order by ordinal`,
    [projectId, itemId],
  );
  return rows;
}

describe('an item whose embedding model changes', () => {
  it('keeps its chunks until it has been embedded again, and then has only chunks of the new model', async () => {
    const body = 'Городская библиотека открыла новый читальный зал на улице Садовой. '.repeat(40);
    await analyst.put('library', { ...textItem(), body });
    await embed('library', 'lexical');
    const before = await chunks('library');
    expect(before.length).toBeGreaterThan(2);
    expect(new Set(before.map(({ model, numbers }) => `${model} ${numbers}`))).toEqual(new Set([`${LEXICAL} 384`]));

    expect(await recordModels(database.pool, modelsWith(LEXICAL))).toEqual([]);
    expect(await recordModels(database.pool, modelsWith(MEANING))).toEqual(['embedding']);
    const { rows: reruns } = await database.pool.query<{ filter: object }>(
      `select filter from reruns where project_id = $1 and state = 'running'`,
      [projectId],
    );
    expect(reruns).toEqual([{ filter: { models: { embedding: MEANING } } }]);
    expect(await chunks('library')).toEqual(before);

    await analyst.put('library', { ...textItem(), body: `${body} Новое.` });
    await embed('library', 'meaning');
    const after = await chunks('library');
    expect(after).toHaveLength(before.length);
    expect(new Set(after.map(({ model, numbers }) => `${model} ${numbers}`))).toEqual(new Set([`${MEANING} 512`]));
  });
});
