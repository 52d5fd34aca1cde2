/** Tests the wait for a slot. One project may hold three quarters of the slots. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createMediaActivities, type MediaActivities } from '../../../activities/media/prepare.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { FAILURE } from '../../../domain/jobs/failureTypes.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { cleanUp, startAgent, startHttp } from '../../platform/outgoing/support/servers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { Analyst, mediaItem } from '../../support/items/items.ts';
import { createTestProject } from '../../support/project.ts';

/** With one decoder, a project has three of the four slots. */
const SLOTS_OF_PROJECT = 3;

let database: TestDatabase;
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dir = await mkdtemp(join(tmpdir(), 'attune-prepare-'));
});
afterEach(cleanUp);
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await database.drop();
});

function createActivities(maxWaitMs?: number): MediaActivities {
  return createMediaActivities({
    pool: database.pool,
    blobs: createLocalBlobStore(dir),
    agent: startAgent({ allowHttp: true }),
    decode: () => Promise.reject(new Error('nothing is downloaded')),
    decoders: 1,
    workDir: dir,
    logger: createLogger('test', 'silent'),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
  });
}

/** Prepares pictures of one new project at once. One of them gets no slot at first. */
async function fillSlots({ prepareMedium }: MediaActivities, url: string): Promise<Promise<boolean>[]> {
  const projectId = await createTestProject(database.pool);
  const works = [];
  for (let index = 0; index <= SLOTS_OF_PROJECT; index += 1) {
    const ref = { projectId, itemId: `picture-${index}` };
    await new Analyst(database.pool, projectId).put(
      ref.itemId,
      mediaItem('image', [{ kind: 'image', url, version: null }]),
    );
    const plan = await planItem(database.pool, ref, {});
    const mediumId = plan?.todo.prepare[0] ?? '';
    works.push({ ...ref, mediumId, step: 'prepare' as const, revision: plan?.steps.prepare.revision ?? 0 });
  }
  return works.map((work) => {
    const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
    return environment.run(prepareMedium, work);
  });
}

it('a medium that gets no slot in time is interrupted without using up an attempt, and by default waits for one', async () => {
  let requests = 0;
  const gate = Promise.withResolvers<void>();
  const server = await startHttp((_request, response) => {
    requests += 1;
    void gate.promise.then(() => response.writeHead(404).end());
  });
  const url = `http://127.0.0.1:${server.port}/picture.png`;
  const patient = await fillSlots(createActivities(), url);
  const ends = Promise.allSettled(patient);
  await eventually(() => requests === SLOTS_OF_PROJECT, 'the downloads of the media with a slot');
  const impatient = await fillSlots(createActivities(200), url);
  await expect(Promise.race(impatient)).rejects.toMatchObject({ type: FAILURE.interrupted });
  gate.resolve();
  await Promise.allSettled(impatient);
  expect((await ends).map(({ status }) => status)).toEqual(patient.map(() => 'fulfilled'));
});
