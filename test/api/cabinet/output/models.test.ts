/** Models of recommendations over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { giveUpTraining, recordReadEvents, recordSettings, publishModel } from '../../../../db/training/models.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { openJobs } from '../../../support/people/people.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

let database: TestDatabase;
let api: TestApi;
let call: Client;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  call = clientOf(api.cabinet, await createTestToken(api.pool));
});
afterAll(async () => {
  await api?.close();
  await database?.drop();
});
beforeEach(async () => {
  project = await createTestProject(api.pool);
});

const train = () => call('POST', `/projects/${project.id}/output/train`);
const list = (query = '') => call('GET', `/projects/${project.id}/output/models${query}`);
const refOf = (modelId: string) => ({ projectId: project.id, modelId });

describe('POST /projects/{id}/output/train', () => {
  // proves: output-cabinet/train
  it('starts a training with its job, and no second one at the same time', async () => {
    const { status, body } = await train();
    expect(status).toBe(202);
    expect(body).toMatchObject({ kind: 'full', state: 'training', finished_at: null, events: null, quality: null });
    expect(await openJobs({ pool: api.pool, projectId: project.id })).toEqual([{ kind: 'training', entity: body.id }]);
    const again = await train();
    expect(again).toMatchObject({ status: 422, body: { error: { details: [{ field: '', code: 'invalid_value' }] } } });
    expect((await list()).body.items).toHaveLength(1);
  });

  it('works again when the previous training is over', async () => {
    const { body } = await train();
    await giveUpTraining(api.pool, refOf(body.id), { state: 'failed', reason: 'internal' });
    expect((await train()).status).toBe(202);
  });

  // proves: output-cabinet/train
  it('is recorded in the audit trail, and answers 404 for an unknown project', async () => {
    await train();
    const { body } = await call('GET', '/audit');
    expect(body.items[0]).toMatchObject({ operation: 'trainModel', params: { id: project.id }, status: 202 });
    expect((await call('POST', '/projects/aaaaaaaaaaaa/output/train')).status).toBe(404);
  });
});

describe('GET /projects/{id}/output/models', () => {
  // proves: output-cabinet/models, output-cabinet/model
  it('says for each model what it learned from, how good it is and why it was not published', async () => {
    const first = (await train()).body;
    const readAt = new Date();
    await recordReadEvents(api.pool, refOf(first.id), {
      events: 1_000,
      items: 50,
      people: 200,
      rowsRead: 1_200,
      readAt,
    });
    const quality = { ndcg: 0.2, recall: 0.1, popular_7d: 0.15 };
    await recordSettings(api.pool, refOf(first.id), { settings: {}, quality });
    await publishModel(api.pool, refOf(first.id), { forgotten: [] });
    const second = (await train()).body;
    await giveUpTraining(api.pool, refOf(second.id), { state: 'rejected', reason: 'too_little_data' });

    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      items: [
        { id: second.id, state: 'rejected', reason: 'too_little_data', quality: null },
        { id: first.id, state: 'published', reason: null, events: 1_000, items: 50, people: 200, quality },
      ],
      next_cursor: null,
    });
    expect(Date.parse(body.items[0].finished_at)).toBeGreaterThanOrEqual(Date.parse(body.items[0].started_at));
    const page = await list('?limit=1');
    expect(page.body.items.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    const next = await list(`?limit=1&cursor=${page.body.next_cursor}`);
    expect(next.body.items.map(({ id }: { id: string }) => id)).toEqual([first.id]);
    expect((await list('?cursor=x')).status).toBe(400);
  });

  // proves: output-cabinet/models
  it('shows nothing of another project', async () => {
    await train();
    const other = await createTestProject(api.pool);
    expect((await call('GET', `/projects/${other.id}/output/models`)).body.items).toEqual([]);
    expect((await call('GET', '/projects/aaaaaaaaaaaa/output/models')).status).toBe(404);
  });
});
