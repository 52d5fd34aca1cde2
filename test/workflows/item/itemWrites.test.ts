import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteItem, putItem } from '../../../db/items/writeItems.ts';
import { ITEM_CHANGED_SIGNAL } from '../../../domain/jobs/workflowMessages.ts';
import { eventually } from '../../support/eventually.ts';
import type { ItemPlan } from '../../../domain/jobs/workflowMessages.ts';
import type { DataActivities } from '../../support/items/analysis.ts';
import { createFakeProviders, fakeResult } from '../../support/items/fakeProviders.ts';
import { countEvents, ItemStage } from '../../support/items/itemStage.ts';
import { outOfQuota, putDeferred, scriptSummaries, timersOf, untilAborted } from '../../support/items/itemScripts.ts';
import { mediaItem, medium } from '../../support/items/items.ts';
import { textItem } from '../../support/project.ts';
import { keepHistory } from '../../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';

let temporal: TestTemporal;
let stage: ItemStage;
/** Shortens the waits of deferred steps to a thousandth. */
let hurry = false;
type Plan = ItemPlan | null;
const atOnce = (plan: Plan): Promise<Plan> => Promise.resolve(plan);
/** A hook that runs between the reading of a plan and its arrival in the workflow. */
let afterPlanRead = atOnce;
/**
 * Holds the next reading of a plan until `open` is called. Other readings until then wait too and return the same
 * plan, because Temporal retries a reading that takes more than ten seconds.
 */
function holdNextPlan(): { held: Promise<void>; open: () => void } {
  const held = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let first: { plan: Plan } | undefined;
  afterPlanRead = async (plan) => {
    const { plan: same } = (first ??= { plan });
    held.resolve();
    await gate.promise;
    return same;
  };
  const open = (): void => {
    afterPlanRead = atOnce;
    gate.resolve();
  };
  return { held: held.promise, open };
}

const wrapData = (activities: DataActivities): DataActivities => ({
  ...activities,
  readPlan: async (item, running) => hooked(await activities.readPlan(item, running)),
  analyseOrPlan: async (item) => hooked(await activities.analyseOrPlan(item)),
});

async function hooked(read: Plan): Promise<Plan> {
  const plan = await afterPlanRead(read);
  if (!plan || !hurry) return plan;
  return {
    ...plan,
    retryInMs: Object.fromEntries(Object.entries(plan.retryInMs).map(([step, wait]) => [step, wait / 1_000])),
  };
}

beforeAll(async () => {
  temporal = await createTestTemporal();
  stage = await ItemStage.open({ temporal, wrapData, workflowTaskTimeout: '3 seconds' });
});
afterEach(() => {
  Object.assign(stage.providers, createFakeProviders());
  afterPlanRead = atOnce;
  hurry = false;
});
afterAll(async () => {
  await stage.close();
  await temporal.close();
});

describe('a write during the analysis', () => {
  // proves: decisions-items/newer-write
  it('cancels the running summary and computes it from the new text', async () => {
    const aborted = Promise.withResolvers<void>();
    const { calls } = scriptSummaries(stage, async (call, body, { signal }) => {
      if (call > 1) return `итог: ${body}`;
      signal.addEventListener('abort', () => aborted.resolve(), { once: true });
      return untilAborted(signal);
    });
    await stage.put('cancelled', textItem({ body: 'старое' }));
    await eventually(() => calls() === 1, 'the first summary');
    await stage.patch('cancelled', { body: 'новое' });
    await stage.finish('cancelled');
    await aborted.promise;
    expect(await stage.read('cancelled')).toMatchObject({ status: 'ready', summary: { summary: 'итог: новое' } });
    expect(calls()).toBe(2);
    expect(await stage.look('cancelled')).toMatchObject({ events: ['item.processed'] });
    await keepHistory('item-cancelled', stage.handle('cancelled'));
  });

  // proves: decisions-items/older-result
  it('is not undone by a provider that answers late', async () => {
    const late = Promise.withResolvers<string>();
    let answered = Promise.resolve();
    const { calls } = scriptSummaries(stage, (call, body) => {
      if (call > 1) return Promise.resolve(`итог: ${body}`);
      answered = late.promise.then(() => {});
      return late.promise;
    });
    await stage.put('late', textItem({ body: 'старое' }));
    await eventually(() => calls() === 1, 'the first summary');
    await stage.patch('late', { body: 'новое' });
    await stage.finish('late');
    late.resolve('итог: старое');
    await answered;
    await eventually(async () => (await usageRows('late')) >= 3, 'the late answer to be noted');
    expect(await stage.read('late')).toMatchObject({ status: 'ready', summary: { summary: 'итог: новое' } });
  });

  async function usageRows(itemId: string): Promise<number> {
    const { rows } = await stage.database.pool.query<{ count: number }>(
      `select count(*)::int from analysis_usage where item_id = $1 and step = 'summary'`,
      [itemId],
    );
    return rows[0]?.count ?? 0;
  }

  // proves: states/write-other
  it('of other fields has no effect on it', async () => {
    const gate = Promise.withResolvers<void>();
    const { calls } = scriptSummaries(stage, async () => {
      await gate.promise;
      return 'итог';
    });
    await stage.put('undisturbed', textItem());
    await eventually(() => calls() === 1, 'the summary');
    await stage.patch('undisturbed', { available: false, author: 'b' });
    gate.resolve();
    await stage.finish('undisturbed');
    expect(calls()).toBe(1);
  });
});

describe('deletion during the analysis', () => {
  it('ends the workflow and the work, and PUT resumes it', async () => {
    const aborted = Promise.withResolvers<void>();
    const { calls } = scriptSummaries(stage, async (call, _body, { signal }) => {
      if (call > 1) return 'итог';
      signal.addEventListener('abort', () => aborted.resolve(), { once: true });
      return untilAborted(signal);
    });
    await stage.put('deleted', textItem());
    await eventually(() => calls() === 1, 'the summary');
    await deleteItem(stage.database.pool, { projectId: stage.projectId, itemId: 'deleted' });
    await stage.relay();
    await stage.finish('deleted');
    await aborted.promise;
    expect(await stage.look('deleted')).toMatchObject({ deleted: true, status: 'queued', events: [] });
    await putItem(stage.database.pool, {
      projectId: stage.projectId,
      itemId: 'deleted',
      content: textItem(),
      origin: 'api',
      requestId: null,
    });
    await stage.relay();
    await stage.finish('deleted');
    expect(await stage.look('deleted')).toMatchObject({
      deleted: false,
      status: 'ready',
      revision: 1,
      events: ['item.processed'],
    });
  });
});

describe('a restoration that comes while the deletion is being read', () => {
  it("is not lost with the workflow's end", async () => {
    scriptSummaries(stage, (call, _body, { signal }) => (call === 1 ? untilAborted(signal) : Promise.resolve('итог')));
    await stage.put('back', textItem());
    await eventually(async () => (await stage.look('back')).steps.summary.state === 'running', 'the summary');
    await deleteItem(stage.database.pool, { projectId: stage.projectId, itemId: 'back' });
    const { held, open } = holdNextPlan();
    await stage.relay();
    await held;
    await stage.put('back', textItem());
    // The workflow learns of it while it still waits for its plan, at a heartbeat of the workflow task.
    await eventually(
      async () => countEvents(await stage.history('back'), 'workflowExecutionSignaledEventAttributes') === 3,
      'the signal',
    );
    open();
    await stage.finish('back');
    expect(await stage.look('back')).toMatchObject({ deleted: false, status: 'ready', events: ['item.processed'] });
  });
});

describe('a plan that was read before a result came', () => {
  it('is read again', async () => {
    const summaryGate = Promise.withResolvers<void>();
    const { calls } = scriptSummaries(stage, async () => {
      await summaryGate.promise;
      return 'итог';
    });
    await stage.put('race', textItem());
    await eventually(() => calls() === 1, 'the summary');
    const { held, open } = holdNextPlan();
    await stage.handle('race').signal(ITEM_CHANGED_SIGNAL);
    await held;
    summaryGate.resolve();
    await eventually(async () => (await stage.look('race')).steps.summary.state === 'done', 'the summary to be stored');
    await eventually(
      async () => countEvents(await stage.history('race'), 'activityTaskCompletedEventAttributes') === 1,
      'its completion to reach the history',
    );
    open();
    await stage.finish('race');
    expect(await stage.look('race')).toMatchObject({ status: 'ready', events: ['item.processed'] });
    expect(calls()).toBe(1);
  });
});

describe('a deferred item', () => {
  // proves: decisions-items/durable-timer
  it('continues with the rest of its wait after Temporal has lost it', async () => {
    await putDeferred(stage, 'lost');
    await stage.handle('lost').terminate('as if Temporal were emptied');
    const { rowCount } = await stage.database.pool.query(
      `update items set steps = jsonb_set(steps, '{summary,retryAt}', to_jsonb(to_char(now() at time zone 'utc' + interval '3 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) where id = 'lost'`,
    );
    expect(rowCount).toBe(1);
    stage.providers.calls.length = 0;
    await stage.database.pool.query(
      `insert into outbox (kind, project_id, entity_id, priority) values ('item', $1, 'lost', 2)`,
      [stage.projectId],
    );
    await stage.relay();
    const timer = await eventually(async () => timersOf(await stage.history('lost'))[0], 'its timer');
    expect(timer).toBeGreaterThan(60);
    expect(timer).toBeLessThanOrEqual(180);
    expect(stage.providers.calls).toEqual([]);
    expect(await stage.look('lost')).toMatchObject({ status: 'deferred' });
    await stage.handle('lost').terminate('the test is over');
  });

  it('waits for each of its steps once, whatever happens to the other', async () => {
    const seen = Promise.withResolvers<void>();
    const calls = { speech: 0, vision: 0 };
    const speech = () => {
      calls.speech += 1;
      return calls.speech === 1
        ? Promise.reject(outOfQuota())
        : Promise.resolve(fakeResult({ language: 'ru', timestamps: 'model', text: 'речь', segments: [] }));
    };
    const vision = async () => {
      calls.vision += 1;
      if (calls.vision > 1) return fakeResult([]);
      await seen.promise;
      throw outOfQuota();
    };
    Object.assign(stage.providers.speech ?? {}, { run: speech });
    Object.assign(stage.providers.vision ?? {}, { run: vision });
    hurry = true;
    await stage.put('two-waits', mediaItem('video', [medium('video', 'a')]));
    await eventually(async () => timersOf(await stage.history('two-waits')).length > 0, 'the wait of speech');
    seen.resolve();
    const history = await stage.finish('two-waits');
    expect(calls).toEqual({ speech: 2, vision: 2 });
    expect(timersOf(history)).toHaveLength(2);
    expect(await stage.look('two-waits')).toMatchObject({ status: 'ready' });
  });

  it('starts at once after a write that outdates the step', async () => {
    await putDeferred(stage, 'rewritten');
    Object.assign(stage.providers, createFakeProviders());
    await stage.patch('rewritten', { body: 'новое' });
    await stage.finish('rewritten');
    expect(await stage.look('rewritten')).toMatchObject({ status: 'ready' });
  });
});
