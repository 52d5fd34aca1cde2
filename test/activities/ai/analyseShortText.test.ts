import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createShortTextActivity } from '../../../activities/ai/analyseShortText.ts';
import { createLocalBlobStore } from '../../../platform/blobs/local.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { deferStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { patchItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { readUsage } from '../../../db/analysis/usage.ts';
import { monthOf } from '../../../domain/analysis/volume.ts';
import type { ItemContent } from '../../../domain/items/item.ts';
import { faultError } from '../../../domain/items/errorCodes.ts';
import type { Step } from '../../../domain/analysis/steps.ts';
import type { ItemPlan } from '../../../domain/jobs/workflowMessages.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { ProviderError } from '../../../providers/errors.ts';
import type { Providers, SummaryInput } from '../../../providers/types.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeProviders, FAKE_MODELS, fakeResult, type FakeProviders } from '../../support/items/fakeProviders.ts';
import { addSilentWebhook, Analyst, mediaItem, medium, plain, snapshot } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';
import { untilWaiting } from '../../support/lockWaits.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };
const DONE = { prepare: 'skipped', speech: 'skipped', vision: 'skipped', summary: 'done', embedding: 'done' };
const LEFT = { ...DONE, summary: 'queued', embedding: 'queued' };

let database: TestDatabase;
let projectId: string;
let providers: FakeProviders;
let count = 0;
let id = '';

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
  await addSilentWebhook(database.pool, projectId);
  providers = createFakeProviders();
  count += 1;
  id = `item-${count}`;
});

const ref = () => ({ projectId, itemId: id });
const put = (content: ItemContent = textItem()) => new Analyst(database.pool, projectId).put(id, content);
const look = () => snapshot(database.pool, projectId, id);

function run(pool = database.pool, quickSteps: Step[] = ['summary', 'embedding']): Promise<ItemPlan | null> {
  const { analyseOrPlan } = createShortTextActivity(
    {
      pool,
      blobs: createLocalBlobStore('/nowhere'),
      providers,
      models: FAKE_MODELS,
      logger: createLogger('test', 'silent'),
    },
    { quickSteps },
  );
  const attempt = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  return attempt.run(analyseOrPlan, ref()) as Promise<ItemPlan | null>;
}

const usage = () => readUsage(database.pool, projectId, monthOf(new Date()));

const limitVolume = (units: number) =>
  database.pool.query('update projects set monthly_volume = $2 where id = $1', [projectId, units]);

async function costs(): Promise<string[]> {
  const { rows } = await database.pool.query<{ cost: string }>(
    `select concat_ws(' ', step, capability, provider, model, created_at > now() - interval '1 hour') as cost
       from analysis_usage where project_id = $1 and item_id = $2 order by step desc, capability desc`,
    [projectId, id],
  );
  return rows.map(({ cost }) => cost);
}

/** Returns a pool that notes the statements that are sent outside a transaction. */
function noting(pool: pg.Pool, sent: unknown[]): pg.Pool {
  const query = (...given: Parameters<pg.Pool['query']>) => {
    sent.push(given[0]);
    return pool.query(...given);
  };
  return new Proxy(pool, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key, target)) });
}

/** Makes the summariser wait for something else to happen first. */
function duringSummary(act: () => Promise<unknown>): void {
  const summary = createFakeProviders().summary?.run;
  providers.summary = {
    model: 'fake-1',
    async run(input, context) {
      await act();
      return summary?.(input, context) ?? Promise.reject(new Error('no fake'));
    },
  };
}

const failing = (fault: ProviderError): NonNullable<Providers['summary']> => ({
  model: 'fake-1',
  run: () => Promise.reject(fault),
});

describe('a short text', () => {
  it('is ready after one call, with its results, its costs and its event', async () => {
    await put();
    expect(plain((await run())?.steps ?? ({} as ItemPlan['steps']))).toEqual(DONE);
    const item = await readItem(database.pool, projectId, id, ALL);
    expect(item).toMatchObject({
      status: 'ready',
      summary: { summary: 'о чём: Заголовок', moderation: { level: 'none' } },
    });
    expect(item?.searchChunks).toHaveLength(2);
    expect(await look()).toMatchObject({
      events: ['item.processed'],
      steps: { summary: { model: 'fake/1' }, embedding: { model: 'fake/1' } },
    });
    expect(await costs()).toEqual([
      'summary summary fake fake-1 t',
      'summary moderation fake fake-1 t',
      'embedding embedding fake fake-1 t',
    ]);
  });

  it('stays queued until everything is stored', async () => {
    await put();
    let meanwhile: unknown;
    duringSummary(async () => {
      const { status, steps } = await look();
      meanwhile = [status, steps.summary.state, steps.embedding.state];
    });
    await run();
    expect(meanwhile).toEqual(['queued', 'queued', 'queued']);
  });

  it('uses up its analysis volume once', async () => {
    await put(textItem({ body: 'а'.repeat(1_500) }));
    await run();
    await run();
    expect(await usage()).toMatchObject({ used: 2, reserved: 0, days: [{ used: 2 }] });
    id = `${id}-next`;
    await put();
    await run();
    expect(await usage()).toMatchObject({ used: 3, reserved: 0, days: [{ used: 3 }] });
  });

  it('uses up its analysis volume once for each revision', async () => {
    await put(textItem({ body: 'а'.repeat(1_500) }));
    await reprocessItem(database.pool, { ...ref(), steps: ['embedding'], requestId: null });
    await run();
    expect(await usage()).toMatchObject({ used: 4, reserved: 0, days: [{ used: 4 }] });
  });

  it('is counted when another one makes the first entry of the month at the same time', async () => {
    await put();
    const other = await database.pool.connect();
    duringSummary(async () => {
      await other.query('begin');
      await other.query('insert into analysis_volume (project_id, month, used) values ($1, $2, 1)', [
        projectId,
        monthOf(new Date()),
      ]);
    });
    const running = run();
    await untilWaiting(database.pool, 1);
    await other.query('commit');
    other.release();
    expect(plain((await running)?.steps ?? ({} as ItemPlan['steps']))).toEqual(DONE);
    expect(await usage()).toMatchObject({ used: 2, reserved: 0 });
  });

  it('uses no analysis volume when none of its steps is done', async () => {
    await put(textItem({ title: null, body: '  ' }));
    await run();
    expect(await usage()).toMatchObject({ used: 0, reserved: 0 });
  });

  it('may use up the last unit of the month', async () => {
    await limitVolume(2);
    await put(textItem({ body: 'а'.repeat(1_500) }));
    expect(plain((await run())?.steps ?? ({} as ItemPlan['steps']))).toEqual(DONE);
    expect(await usage()).toMatchObject({ used: 2, reserved: 0 });
  });

  it('is only embedded when nothing else is outdated', async () => {
    await put();
    await run();
    providers.calls.length = 0;
    await reprocessItem(database.pool, { ...ref(), steps: ['embedding'], requestId: null });
    expect(plain((await run())?.steps ?? ({} as ItemPlan['steps']))).toEqual(DONE);
    expect(providers.calls).toEqual(['embedding']);
  });

  // proves: decisions-items/nothing-to-summarise
  it('may have nothing to summarise, and fails without anything to embed', async () => {
    await put(textItem({ title: null, body: '  ' }));
    expect(plain((await run())?.steps ?? ({} as ItemPlan['steps']))).toEqual({
      ...DONE,
      summary: 'skipped',
      embedding: 'failed',
    });
    expect(await look()).toMatchObject({ status: 'failed', events: ['item.failed'] });
  });

  it('is read without its markup if it is HTML', async () => {
    const asked: SummaryInput[] = [];
    const { summary } = createFakeProviders();
    providers.summary = {
      model: 'fake-1',
      async run(input, context) {
        asked.push(input);
        return summary?.run(input, context) ?? Promise.reject(new Error('no fake'));
      },
    };
    const body = '<div><p>Трамвай&nbsp;вернулся в <b>депо</b>.</p><script>track("x")</script></div>';
    await put(textItem({ title: 'Трамвай &laquo;Пять&raquo;', body }));
    await run();
    expect(asked.map(({ title, body: text }) => [title, text?.trim()])).toEqual([
      ['Трамвай «Пять»', 'Трамвай вернулся в депо.'],
    ]);
    const item = await readItem(database.pool, projectId, id, ALL);
    expect(item?.searchChunks?.map(({ text }) => text).join()).not.toMatch(/<|&|track/);
  });

  it('of emoji alone has nothing to summarise', async () => {
    await put(textItem({ title: '🐱🐶', body: '🐭🐹' }));
    expect(plain((await run())?.steps ?? ({} as ItemPlan['steps']))).toEqual({ ...DONE, summary: 'skipped' });
    expect(await look()).toMatchObject({ status: 'ready' });
  });

  it('that does not exist has no plan', async () => {
    expect(await run()).toBeNull();
  });
});

describe('the quick analysis', () => {
  const expectOnlyPlanned = async (): Promise<void> => {
    const plan = await run();
    expect(plain(plan?.steps ?? ({} as ItemPlan['steps']))).toEqual(LEFT);
    expect(plain((await look()).steps)).toEqual(LEFT);
    expect([await costs(), (await look()).events]).toEqual([[], []]);
  };

  it('leaves all steps of a text to the usual activities if one of them fails', async () => {
    await put();
    providers.embedding = {
      ...createFakeProviders().embedding,
      run: () => Promise.reject(new ProviderError('retryable', 'provider_unavailable', 'away')),
    } as NonNullable<Providers['embedding']>;
    await expectOnlyPlanned();
    expect(await readItem(database.pool, projectId, id, ALL)).toMatchObject({ summary: null, searchChunks: null });
  });

  it.each(['refused', 'permanent', 'quota'] as const)(
    'leaves a text whose summary fails as %s to the usual activities',
    async (kind) => {
      await put();
      providers.summary = failing(new ProviderError(kind, 'provider_refused', 'no'));
      await expectOnlyPlanned();
    },
  );

  it('leaves a text with a result that no table accepts to the usual activities', async () => {
    await put();
    providers.embedding = {
      ...createFakeProviders().embedding,
      run: () => Promise.resolve(fakeResult([new Float32Array([1, 0]), new Float32Array([1, 0])])),
      get model(): string {
        return null as unknown as string;
      },
    } as NonNullable<Providers['embedding']>;
    await expectOnlyPlanned();
  });

  it('leaves a text that was changed meanwhile to the usual activities', async () => {
    await put();
    duringSummary(() => patchItem(database.pool, { ...ref(), patch: { body: 'новое' }, requestId: null }));
    await expectOnlyPlanned();
    expect((await look()).steps.summary.revision).toBe(2);
  });

  it('leaves an item with media, or a long text, to the usual activities', async () => {
    await put(mediaItem('video', [medium('video', 'v')]));
    expect((await run())?.todo.prepare).toHaveLength(1);
    id = `${id}-long`;
    await put(textItem({ body: 'а'.repeat(5_000) }));
    await expectOnlyPlanned();
    expect(providers.calls).toEqual([]);
  });

  it('leaves a text with a step that waits for its next try to the usual activities', async () => {
    await put();
    const { steps } = await look();
    await deferStep(
      database.pool,
      { ...ref(), step: 'summary', revision: steps.summary.revision },
      faultError('provider_unavailable'),
    );
    expect((await run())?.steps.summary.state).toBe('deferred');
    expect(providers.calls).toEqual([]);
  });

  it('leaves a text without analysis volume to the usual activities', async () => {
    await limitVolume(0);
    await put();
    expect((await run())?.steps.summary.state).toBe('waiting');
    expect(providers.calls).toEqual([]);
  });

  // proves: decisions-volume/reserved
  it('leaves a text to the usual activities when another one takes the last unit meanwhile', async () => {
    await limitVolume(1);
    await put();
    const other = `${id}-other`;
    await new Analyst(database.pool, projectId).put(other, textItem());
    duringSummary(() => planItem(database.pool, { projectId, itemId: other }, {}));
    expect(plain((await run())?.steps ?? ({} as ItemPlan['steps']))).toEqual({
      ...LEFT,
      summary: 'waiting',
      embedding: 'waiting',
    });
    expect(await readItem(database.pool, projectId, id, ALL)).toMatchObject({ summary: null, searchChunks: null });
    expect([await costs(), (await look()).events]).toEqual([[], []]);
    expect(await usage()).toMatchObject({ used: 0, reserved: 1 });
  });

  it('leaves a text with steps of two revisions waiting when the month has units for only one of them', async () => {
    await limitVolume(3);
    await put(textItem({ body: 'а'.repeat(1_500) }));
    await reprocessItem(database.pool, { ...ref(), steps: ['embedding'], requestId: null });
    expect((await run())?.steps.summary.state).toBe('waiting');
    expect([await costs(), (await look()).events]).toEqual([[], []]);
    expect(await usage()).toMatchObject({ used: 0, reserved: 0 });
  });

  it('leaves every text to the usual activities if no step is quick, without reading its evidence first', async () => {
    await put();
    const sent: unknown[] = [];
    const pool = noting(database.pool, sent);
    expect(plain((await run(pool, []))?.steps ?? ({} as ItemPlan['steps']))).toEqual(LEFT);
    expect(sent).toEqual([]);
    expect(providers.calls).toEqual([]);
  });

  it('leaves a text whose units are reserved already, or meanwhile, to the usual activities', async () => {
    await put();
    await planItem(database.pool, ref(), {});
    await expectOnlyPlanned();
    expect(providers.calls).toEqual([]);
    id = `${id}-meanwhile`;
    await put();
    duringSummary(() => planItem(database.pool, ref(), {}));
    await expectOnlyPlanned();
    expect(await usage()).toMatchObject({ used: 0, reserved: 2 });
  });
});
