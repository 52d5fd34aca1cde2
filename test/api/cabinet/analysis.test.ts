/** Usage and reruns over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordUsage } from '../../../db/analysis/evidence.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { putItem } from '../../../db/items/write.ts';
import { rerunPage } from '../../../db/reruns.ts';
import { noteModels } from '../../../db/stepModels.ts';
import { monthOf } from '../../../domain/volume.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { FAKE_MODELS } from '../../support/fakeProviders.ts';
import { textItem } from '../../support/project.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../support/testApi.ts';

const THIS_MONTH = monthOf(new Date()).slice(0, 7);

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

const put = (itemId: string) =>
  putItem(api.pool, { projectId: project.id, itemId, content: textItem(), origin: 'api', requestId: null });

/** A call that cost something at a time. */
async function addCall(at: string, images: number | null): Promise<void> {
  const work = { projectId: project.id, itemId: 'a', step: 'vision', revision: 1 } as const;
  await recordUsage(
    api.pool,
    work,
    { provider: 'openai', model: 'gpt-4o-mini', requestId: null },
    { inputTokens: 10, outputTokens: null, audioSeconds: null, images },
  );
  await api.pool.query(
    `update analysis_usage set created_at = $2 where project_id = $1 and created_at > now() - interval '1 minute'`,
    [project.id, at],
  );
}

describe('GET /projects/{id}/usage', () => {
  it('is empty at first, and without a limit', async () => {
    const { status, body } = await call('GET', `/projects/${project.id}/usage`);
    expect([status, body]).toEqual([200, { month: THIS_MONTH, used: 0, reserved: 0, limit: null, by: [] }]);
  });

  it('tells what is used, what is reserved and what the limit is', async () => {
    await call('PATCH', `/projects/${project.id}`, { monthly_volume: 5 });
    for (const id of ['a', 'b']) {
      await put(id);
      await planItem(api.pool, { projectId: project.id, itemId: id }, {});
    }
    await recordUsage(
      api.pool,
      { projectId: project.id, itemId: 'a', step: 'summary', revision: 1 },
      { provider: 'fake', model: 'f', requestId: null },
      { inputTokens: null, outputTokens: null, audioSeconds: null, images: null },
    );
    expect((await call('GET', `/projects/${project.id}/usage?month=${THIS_MONTH}`)).body).toEqual({
      month: THIS_MONTH,
      used: 1,
      reserved: 1,
      limit: 5,
      by: [
        {
          step: 'summary',
          provider: 'fake',
          model: 'f',
          calls: 1,
          input_tokens: null,
          output_tokens: null,
          audio_seconds: null,
          images: null,
        },
      ],
    });
  });

  it('adds up the calls of the month of Moscow, what is unknown apart from nothing', async () => {
    await addCall('2026-09-30T20:59:59Z', 100);
    await addCall('2026-09-30T21:00:00Z', 2);
    await addCall('2026-10-31T20:59:59Z', null);
    await addCall('2026-10-31T21:00:00Z', 100);
    expect((await call('GET', `/projects/${project.id}/usage?month=2026-10`)).body.by).toEqual([
      {
        step: 'vision',
        provider: 'openai',
        model: 'gpt-4o-mini',
        calls: 2,
        input_tokens: 20,
        output_tokens: null,
        audio_seconds: null,
        images: 2,
      },
    ]);
  });

  it.each(['2026-13', '2026-1', '2026', 'x', '0000-03'])('refuses the month %s', async (month) => {
    expect((await call('GET', `/projects/${project.id}/usage?month=${month}`)).status).toBe(400);
  });

  it('does not know other projects', async () => {
    expect((await call('GET', '/projects/zzzzzzzzzzzz/usage')).status).toBe(404);
  });
});

describe('POST /projects/{id}/rerun', () => {
  it('accepts, and tells later how far it is', async () => {
    await put('a');
    await api.pool.query(
      `update items set steps = jsonb_set(steps, '{summary,state}', '"done"') where project_id = $1`,
      [project.id],
    );
    const { status, body } = await call('POST', `/projects/${project.id}/rerun`, {
      status: 'queued',
      steps: ['summary'],
    });
    expect([status, body]).toMatchObject([
      202,
      { state: 'running', reason: 'request', status: 'queued', steps: ['summary'], seen: 0, done: 0 },
    ]);
    await rerunPage(api.pool, project.id, body.id, { itemsPerSecond: 100, roundPauseMs: 0 });
    expect((await call('GET', `/projects/${project.id}/reruns/${body.id}`)).body).toMatchObject({
      id: body.id,
      state: 'done',
      seen: 1,
      done: 1,
    });
  });

  it('is refused while another one runs, and accepted behind it', async () => {
    const { body } = await call('POST', `/projects/${project.id}/rerun`, { steps: ['summary'] });
    for (const filter of [{ steps: ['summary'] }, { status: 'failed' }]) {
      const refused = await call('POST', `/projects/${project.id}/rerun`, filter);
      expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ field: '', code: 'invalid_value' }]]);
    }
    await rerunPage(api.pool, project.id, body.id, { itemsPerSecond: 100, roundPauseMs: 0 });
    expect((await call('POST', `/projects/${project.id}/rerun`, { status: 'failed' })).status).toBe(202);
  });

  it('needs no body', async () => {
    expect((await call('POST', `/projects/${project.id}/rerun`)).body).toMatchObject({ status: null, steps: null });
  });

  it.each([
    [{ status: 'x' }, 'status', 'invalid_value'],
    [{ steps: [] }, 'steps', 'invalid_value'],
    [{ steps: ['prepare'] }, 'steps[0]', 'invalid_value'],
    [{ all: true }, 'all', 'unknown_field'],
  ])('refuses %j', async (wrong, field, code) => {
    const { status, body } = await call('POST', `/projects/${project.id}/rerun`, wrong);
    expect([status, body.error.details]).toMatchObject([422, [{ field, code }]]);
  });

  it('knows neither other projects nor their reruns', async () => {
    expect((await call('POST', '/projects/zzzzzzzzzzzz/rerun', {})).status).toBe(404);
    const { body } = await call('POST', `/projects/${project.id}/rerun`, {});
    const other = await createTestProject(api.pool);
    expect((await call('GET', `/projects/${other.id}/reruns/${body.id}`)).status).toBe(404);
  });

  it('shows one that a change of models made', async () => {
    await put('a');
    await noteModels(api.pool, FAKE_MODELS);
    await noteModels(api.pool, { ...FAKE_MODELS, vision: 'fake/2', embedding: 'fake/2' });
    const { rows } = await api.pool.query<{ id: string }>('select id from reruns where project_id = $1', [project.id]);
    expect((await call('GET', `/projects/${project.id}/reruns/${rows[0]?.id ?? ''}`)).body).toMatchObject({
      reason: 'model',
      status: null,
      steps: ['vision', 'embedding'],
    });
  });
});
