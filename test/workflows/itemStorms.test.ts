import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { itemWorkflowId } from '../../domain/ids.ts';
import { ITEM_CHANGED_SIGNAL } from '../../domain/workflowMessages.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeProviders } from '../support/fakeProviders.ts';
import { endedByNewRun, suggestingNewRun, withMoreSignals } from '../support/historyForms.ts';
import { putDeferred, scriptSummaries, untilAborted } from '../support/itemScripts.ts';
import { countEvents, ItemStage } from '../support/itemStage.ts';
import { textItem } from '../support/project.ts';
import { replayHistory, type History } from '../support/replay.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows.ts';

let temporal: TestTemporal;
let stage: ItemStage;

beforeAll(async () => {
  temporal = await createTestTemporal();
  stage = await ItemStage.open({ temporal });
}, 60_000);
afterEach(() => {
  Object.assign(stage.providers, createFakeProviders());
});
afterAll(async () => {
  await stage.close();
  await temporal.close();
});

async function storm(itemId: string, signals: number): Promise<void> {
  const handle = stage.handle(itemId);
  for (let sent = 0; sent < signals; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => handle.signal(ITEM_CHANGED_SIGNAL)));
}

/** The history so far, once a workflow task knows of every signal. */
async function historyAfterAll(itemId: string): Promise<History> {
  await eventually(
    async () => !(await stage.handle(itemId).describe()).raw.pendingWorkflowTask,
    'the workflow to see all of them',
    60_000,
  );
  const history = await stage.history(itemId);
  await stage.handle(itemId).terminate('the test is over');
  return history;
}

it('a storm of signals costs few plans and no work', async () => {
  const gate = Promise.withResolvers<void>();
  const { calls } = scriptSummaries(stage, async () => {
    await gate.promise;
    return 'итог';
  });
  await stage.put('storm', textItem());
  await eventually(() => calls() === 1, 'the summary');
  await storm('storm', 500);
  gate.resolve();
  const history = await stage.finish('storm');
  expect(calls()).toBe(1);
  expect(countEvents(history, 'workflowExecutionSignaledEventAttributes')).toBe(501);
  expect(await stage.look('storm')).toMatchObject({ status: 'ready' });
}, 150_000);

/**
 * What a storm of thousands would leave, made of what one of fifty left and replayed: to send them all
 * takes minutes on a slow machine. A history that ends with a new run replays only if the workflow ends so.
 */
describe('a run', () => {
  /** Where MAX_HISTORY_EVENTS of workflows/item.ts is passed. */
  const LIMIT = 6_000;

  /** Whether the last workflow task ends with a new run. */
  async function continues(history: History): Promise<boolean> {
    return replayHistory(
      await testWorkflowBundle(),
      endedByNewRun(history),
      itemWorkflowId(stage.projectId, 'replayed'),
    ).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DeterminismViolationError) return false;
        throw error;
      },
    );
  }

  /** The history of an item, waiting or at work, that was told of fifty changes. */
  async function afterFifty(itemId: string): Promise<History> {
    await stage.withoutWorkflows(() => storm(itemId, 50));
    return historyAfterAll(itemId);
  }

  it('that only waits is continued as new as soon as the server suggests it', async () => {
    await putDeferred(stage, 'waiting');
    const waiting = await afterFifty('waiting');
    expect([await continues(waiting), await continues(suggestingNewRun(waiting))]).toEqual([false, true]);
  }, 120_000);

  it('at work goes on whatever the server suggests, and is continued as new before it refuses signals', async () => {
    const { calls } = scriptSummaries(stage, (_call, _body, { signal }) => untilAborted(signal));
    await stage.put('at-work', textItem());
    await eventually(() => calls() === 1, 'the summary');
    const atWork = await afterFifty('at-work');
    expect([await continues(atWork), await continues(suggestingNewRun(atWork))]).toEqual([false, false]);
    expect([
      await continues(withMoreSignals(atWork, LIMIT)),
      await continues(withMoreSignals(atWork, LIMIT + 1)),
    ]).toEqual([false, true]);
  }, 240_000);
});
