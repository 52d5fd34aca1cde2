/** Usage and reruns over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordUsage } from '../../../../db/analysis/usage.ts';
import { planItem } from '../../../../db/analysis/plan.ts';
import { putItem } from '../../../../db/items/writeItems.ts';
import { rerunPage } from '../../../../db/reruns/reruns.ts';
import { recordModels } from '../../../../db/analysis/stepModels.ts';
import { monthOf } from '../../../../domain/analysis/volume.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { FAKE_MODELS } from '../../../support/items/fakeProviders.ts';
import { textItem } from '../../../support/project.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  startTestApi,
  type Client,
  type TestApi,
  type TestProject,
} from '../../support/testApi.ts';

const THIS_MONTH = monthOf(new Date()).slice(0, 7);

const PRICES = {
  currency: 'USD',
  models: {
    'gpt-4o-mini': { input: 0.15, output: 0.6 },
    'vision/gpt-4o-mini': { image: 0.1 },
    'whisper-1': { audio_minute: 0.006 },
    moderator: { call: 0 },
  },
};

let database: TestDatabase;
let api: TestApi;
let call: Client;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ databaseUrl: database.url, env: { PROVIDER_PRICES: JSON.stringify(PRICES) } });
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

/** Adds a billed call at the given time. */
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
    expect([status, body]).toEqual([
      200,
      { month: THIS_MONTH, used: 0, reserved: 0, limit: null, days: [], by: [], currency: 'USD', costs: [] },
    ]);
  });

  // proves: decisions-cabinet-calls/usage
  it('returns the used and reserved volume and the limit', async () => {
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
      days: [{ day: expect.stringMatching(`^${THIS_MONTH}`), used: 1 }],
      by: [
        {
          step: 'summary',
          capability: 'summary',
          provider: 'fake',
          model: 'f',
          calls: 1,
          input_tokens: null,
          output_tokens: null,
          audio_seconds: null,
          images: null,
          cost: null,
          unpriced_calls: 1,
        },
      ],
      currency: 'USD',
      costs: [{ capability: 'summary', cost: null, unpriced_calls: 1 }],
    });
  });

  // proves: decisions-cabinet-calls/usage
  it('adds up the calls of the month in Moscow time, and keeps unknown figures apart from zero', async () => {
    await addCall('2026-09-30T20:59:59Z', 100);
    await addCall('2026-09-30T21:00:00Z', 2);
    await addCall('2026-10-31T20:59:59Z', null);
    await addCall('2026-10-31T21:00:00Z', 100);
    expect((await call('GET', `/projects/${project.id}/usage?month=2026-10`)).body.by).toEqual([
      {
        step: 'vision',
        capability: 'vision',
        provider: 'openai',
        model: 'gpt-4o-mini',
        calls: 2,
        input_tokens: 20,
        output_tokens: null,
        audio_seconds: null,
        images: 2,
        cost: 0.2,
        unpriced_calls: 1,
      },
    ]);
  });

  it('returns the costs by capability, with moderation apart from the summary that includes it', async () => {
    const work = { projectId: project.id, itemId: 'a', step: 'summary', revision: 1 } as const;
    const none = { inputTokens: null, outputTokens: null, audioSeconds: null, images: null };
    const by = (provider: string, model: string) => ({ provider, model, requestId: null });
    const tokens = { ...none, inputTokens: 2_000_000, outputTokens: 100_000 };
    await recordUsage(api.pool, work, by('openai', 'gpt-4o-mini'), tokens);
    await recordUsage(api.pool, work, by('openai', 'moderator'), none, { capability: 'moderation' });
    await recordUsage(api.pool, { ...work, step: 'speech' }, by('openai', 'whisper-1'), { ...none, audioSeconds: 90 });
    await recordUsage(api.pool, { ...work, step: 'embedding' }, by('builtin', 'builtin-embed-2'), none);
    const { body } = await call('GET', `/projects/${project.id}/usage`);
    expect(body.costs).toEqual([
      { capability: 'embedding', cost: null, unpriced_calls: 0 },
      { capability: 'speech', cost: 0.009, unpriced_calls: 0 },
      { capability: 'moderation', cost: 0, unpriced_calls: 0 },
      { capability: 'summary', cost: 0.36, unpriced_calls: 0 },
    ]);
    expect(body.currency).toBe('USD');
  });

  it.each(['2026-13', '2026-1', '2026', 'x', '0000-03'])('refuses the month %s', async (month) => {
    expect((await call('GET', `/projects/${project.id}/usage?month=${month}`)).status).toBe(400);
  });

  it('answers 404 for an unknown project', async () => {
    expect((await call('GET', '/projects/zzzzzzzzzzzz/usage')).status).toBe(404);
  });
});

describe('POST /projects/{id}/rerun', () => {
  // proves: decisions-cabinet-calls/rerun
  it('accepts a rerun, and shows its progress later', async () => {
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

  it('refuses one while another is running, and accepts one afterwards', async () => {
    const { body } = await call('POST', `/projects/${project.id}/rerun`, { steps: ['summary'] });
    for (const filter of [{ steps: ['summary'] }, { status: 'failed' }]) {
      const refused = await call('POST', `/projects/${project.id}/rerun`, filter);
      expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ field: '', code: 'invalid_value' }]]);
    }
    await rerunPage(api.pool, project.id, body.id, { itemsPerSecond: 100, roundPauseMs: 0 });
    expect((await call('POST', `/projects/${project.id}/rerun`, { status: 'failed' })).status).toBe(202);
  });

  it('includes only items that have a step that failed for the given reason', async () => {
    for (const id of ['a', 'b', 'c']) await put(id);
    await api.pool.query(
      `update items set status = 'partial', steps = jsonb_set(steps, '{summary}', steps -> 'summary' || jsonb_build_object(
              'state', case id when 'c' then 'running' else 'failed' end,
              'error', jsonb_build_object('code', case id when 'b' then 'provider_quota' else 'provider_refused' end, 'message', '')))
        where project_id = $1`,
      [project.id],
    );
    const { body } = await call('POST', `/projects/${project.id}/rerun`, {
      steps: ['summary'],
      error_code: 'provider_refused',
    });
    expect(body).toMatchObject({ steps: ['summary'], error_code: 'provider_refused' });
    await rerunPage(api.pool, project.id, body.id, { itemsPerSecond: 100, roundPauseMs: 0 });
    const { rows } = await api.pool.query(
      `select id from items where project_id = $1 and steps #>> '{summary,state}' = 'queued'`,
      [project.id],
    );
    expect(rows).toEqual([{ id: 'a' }]);
  });

  it('works without a body', async () => {
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

  it('answers 404 for an unknown project, and shows no rerun of another project', async () => {
    expect((await call('POST', '/projects/zzzzzzzzzzzz/rerun', {})).status).toBe(404);
    const { body } = await call('POST', `/projects/${project.id}/rerun`, {});
    const other = await createTestProject(api.pool);
    expect((await call('GET', `/projects/${other.id}/reruns/${body.id}`)).status).toBe(404);
    expect((await call('POST', `/projects/${other.id}/reruns/${body.id}/cancel`)).status).toBe(404);
    expect((await call('GET', `/projects/${other.id}/reruns`)).body.items).toEqual([]);
  });

  it('shows a rerun that was started by a change of models', async () => {
    await put('a');
    await recordModels(api.pool, FAKE_MODELS);
    await recordModels(api.pool, { ...FAKE_MODELS, vision: 'fake/2', embedding: 'fake/2' });
    const { rows } = await api.pool.query<{ id: string }>('select id from reruns where project_id = $1', [project.id]);
    expect((await call('GET', `/projects/${project.id}/reruns/${rows[0]?.id ?? ''}`)).body).toMatchObject({
      reason: 'model',
      status: null,
      steps: ['vision', 'embedding'],
    });
  });
});

describe('GET /projects/{id}/reruns', () => {
  it('lists reruns, newest first, including a cancelled one, which queues nothing more', async () => {
    await put('a');
    const ask = async () => (await call('POST', `/projects/${project.id}/rerun`, {})).body;
    const first = await ask();
    const cancel = (id: string) => call('POST', `/projects/${project.id}/reruns/${id}/cancel`);
    expect(await cancel(first.id)).toMatchObject({ status: 200, body: { id: first.id, state: 'cancelled' } });
    const pace = { itemsPerSecond: 100, roundPauseMs: 0 };
    expect(await rerunPage(api.pool, project.id, first.id, pace)).toMatchObject({ isDone: true, done: 0 });
    const { rowCount } = await api.pool.query('select from jobs where project_id = $1', [project.id]);
    expect(rowCount).toBe(0);
    const second = await ask();
    await rerunPage(api.pool, project.id, second.id, pace);
    expect((await cancel(second.id)).body).toMatchObject({ state: 'done' });
    const { body } = await call('GET', `/projects/${project.id}/reruns`);
    expect(body.items.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
      [second.id, 'done'],
      [first.id, 'cancelled'],
    ]);
  });
});
