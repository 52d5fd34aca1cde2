import { beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Runtime, type WorkflowBundle } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { readHistories, replayHistory, WORKFLOWS_PATH, type History } from '../support/replay.ts';

const histories = await readHistories();

describe('recorded histories', () => {
  let workflowBundle: WorkflowBundle;

  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } } });
    workflowBundle = await bundleWorkflowCode({ workflowsPath: WORKFLOWS_PATH, logger: new DefaultLogger('ERROR') });
  });

  it('are there', () => {
    expect(histories.length).toBeGreaterThan(0);
  });

  it.each(histories)('$name replays', async ({ name, history }) => {
    await expect(replayHistory(workflowBundle, history, name)).resolves.toBeUndefined();
  });

  it('would show a change: a history with another activity does not replay', async () => {
    const recorded = histories.find(({ name }) => name === 'delivery-failed');
    await expect(replayHistory(workflowBundle, withOtherActivity(recorded?.history ?? {}), 'changed')).rejects.toThrow(DeterminismViolationError);
  });
});

function withOtherActivity(history: History): History {
  const events = (history.events ?? []).map((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    return scheduled ? { ...event, activityTaskScheduledEventAttributes: { ...scheduled, activityType: { name: 'other' } } } : event;
  });
  return { ...history, events };
}
