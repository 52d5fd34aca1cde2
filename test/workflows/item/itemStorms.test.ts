import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { DeterminismViolationError } from '@temporalio/workflow';
import { enqueue, readOutboxState } from '../../../db/jobs/outbox.ts';
import { itemWorkflowId } from '../../../domain/jobs/ids.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { ITEM_CHANGED_SIGNAL } from '../../../domain/jobs/workflowMessages.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { WakeUp } from '../../../platform/process/concurrency/wakeUp.ts';
import { dispatchForever } from '../../../loops/relay/dispatch.ts';
import { PACE_MS } from '../../../loops/relay/itemSignalThrottle.ts';
import { TemporalHealth } from '../../../loops/relay/temporalHealth.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeProviders } from '../../support/items/fakeProviders.ts';
import { endedByNewRun, suggestingNewRun, withMoreSignals } from '../../support/workflows/historyForms.ts';
import { putDeferred, scriptSummaries, untilAborted } from '../../support/items/itemScripts.ts';
import { countEvents, ItemStage } from '../../support/items/itemStage.ts';
import { textItem } from '../../support/project.ts';
import { replayHistories, type History } from '../../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { testWorkflowBundle } from '../../support/workflows/workflows.ts';

let temporal: TestTemporal;
let stage: ItemStage;

beforeAll(async () => {
  temporal = await createTestTemporal();
  stage = await ItemStage.open({ temporal });
});
afterEach(() => {
  Object.assign(stage.providers, createFakeProviders());
});
afterAll(async () => {
  await stage.close();
  await temporal.close();
});

/**
 * Below Temporal's limit of a hundred events that wait for a workflow task. The relay stays well below it
 * (loops/relay/itemSignalThrottle.ts).
 */
const WAVE = 50;

async function storm(itemId: string, signals: number): Promise<void> {
  const handle = stage.handle(itemId);
  await Promise.all(Array.from({ length: signals }, () => handle.signal(ITEM_CHANGED_SIGNAL)));
}

async function untilSeen(itemId: string): Promise<void> {
  await eventually(
    async () => !(await stage.handle(itemId).describe()).raw.pendingWorkflowTask,
    'the workflow to see all of them',
  );
}

/** Returns the history so far, once a workflow task has seen every signal. */
async function historyAfterAll(itemId: string): Promise<History> {
  await untilSeen(itemId);
  const history = await stage.history(itemId);
  await stage.handle(itemId).terminate('the test is over');
  return history;
}

/** Puts an item whose summary runs until `finish` is called. */
async function putAtWork(itemId: string): Promise<{ calls: () => number; finish: () => void }> {
  const gate = Promise.withResolvers<void>();
  const { calls } = scriptSummaries(stage, async () => {
    await gate.promise;
    return 'итог';
  });
  await stage.put(itemId, textItem());
  await eventually(() => calls() === 1, 'the summary');
  return { calls, finish: gate.resolve };
}

const plansOf = (history: History): number => countEvents(history, 'markerRecordedEventAttributes');
const signalsOf = (history: History): number => countEvents(history, 'workflowExecutionSignaledEventAttributes');

it('a storm of signals costs few plans and no work', async () => {
  const { calls, finish } = await putAtWork('storm');
  for (let wave = 0; wave < 5; wave += 1) {
    await storm('storm', WAVE);
    await untilSeen('storm');
  }
  finish();
  const history = await stage.finish('storm');
  expect([calls(), signalsOf(history)]).toEqual([1, 251]);
  expect(plansOf(history)).toBeLessThan(signalsOf(history) / 2);
  expect(await stage.look('storm')).toMatchObject({ status: 'ready' });
});

it('a storm of writes causes few signals: Temporal fails a workflow task for which more than a hundred are waiting', async () => {
  const { calls, finish } = await putAtWork('written');
  const { pool } = stage.database;
  const entry = {
    kind: 'item',
    projectId: stage.projectId,
    entityId: 'written',
    priority: PRIORITY.single,
    requestId: null,
  } as const;
  const connection = Connection.lazy({ address: temporal.address });
  const health = new TemporalHealth(connection);
  const bell = new WakeUp();
  let isOver = false;
  const deps = { pool, client: temporal.client, health, logger: createLogger('test', 'silent') };
  const relays = [dispatchForever(deps, bell, () => isOver), dispatchForever(deps, new WakeUp(), () => isOver)];
  const began = performance.now();
  for (let burst = 0; burst < 10; burst += 1) {
    await enqueue(
      pool,
      Array.from({ length: 50 }, () => entry),
    );
    bell.ring();
  }
  await eventually(async () => (await readOutboxState(pool)).lagSeconds === 0, 'an empty outbox');
  const most = relays.length * (2 + (performance.now() - began) / PACE_MS);
  isOver = true;
  bell.ring();
  await Promise.all(relays);
  await connection.close();
  finish();
  const history = await stage.finish('written');
  expect([calls(), signalsOf(history) <= most]).toEqual([1, true]);
  expect(countEvents(history, 'workflowTaskFailedEventAttributes')).toBe(0);
});

/**
 * Simulates a storm of thousands by extending and replaying the history of a storm of fifty: sending them all takes
 * minutes on a slow machine. A history that ends with a new run replays only if the workflow ends that way.
 */
describe('a run', () => {
  /** MAX_HISTORY_EVENTS of workflows/historyLimit.ts. */
  const LIMIT = 6_000;

  /** Returns for each history whether its last workflow task ends with a new run. */
  async function continuing(histories: readonly History[]): Promise<boolean[]> {
    const named = histories.map((history, index) => ({
      name: itemWorkflowId(stage.projectId, `replayed-${index}`),
      history: endedByNewRun(history),
    }));
    const outcomes = await replayHistories(await testWorkflowBundle(), named);
    return named.map(({ name }) => {
      const error = outcomes.get(name);
      if (error instanceof DeterminismViolationError) return false;
      if (error !== null) throw error ?? new Error(`${name} was not replayed`);
      return true;
    });
  }

  /** Returns the history of an item, waiting or running, that received fifty changes. */
  async function afterFifty(itemId: string): Promise<History> {
    await stage.withoutWorkflows(() => storm(itemId, WAVE));
    return historyAfterAll(itemId);
  }

  it('continues as new as soon as the server suggests it if it only waits', async () => {
    await putDeferred(stage, 'waiting');
    const waiting = await afterFifty('waiting');
    expect(await continuing([waiting, suggestingNewRun(waiting)])).toEqual([false, true]);
  });

  it('ignores the suggestion while it is at work, and continues as new only before the server would refuse signals', async () => {
    const { calls } = scriptSummaries(stage, (_call, _body, { signal }) => untilAborted(signal));
    await stage.put('at-work', textItem());
    await eventually(() => calls() === 1, 'the summary');
    const atWork = await afterFifty('at-work');
    expect(
      await continuing([
        atWork,
        suggestingNewRun(atWork),
        withMoreSignals(atWork, LIMIT),
        withMoreSignals(atWork, LIMIT + 1),
      ]),
    ).toEqual([false, false, false, true]);
  });
});
