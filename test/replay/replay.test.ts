import { beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { readHistories, replayHistories, type History } from '../support/replay.ts';
import { testWorkflowBundle } from '../support/workflows.ts';

const histories = await readHistories();

describe('recorded histories', () => {
  let outcomes: Map<string, Error | null>;

  beforeAll(async () => {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
    });
    const failed = histories.find(({ name }) => name === 'delivery-failed');
    const changed = { name: 'changed', history: withOtherActivity(failed?.history ?? {}) };
    // Before the others: one that does not replay is no hindrance to those after it.
    outcomes = await replayHistories(await testWorkflowBundle(), [changed, ...histories]);
  }, 60_000);

  it('are there', () => {
    expect(histories.length).toBeGreaterThan(0);
  });

  it.each(histories)('$name replays', ({ name }) => {
    expect(outcomes.get(name)).toBeNull();
  });

  it('would show a change: a history with another activity does not replay', () => {
    expect(outcomes.get('changed')).toBeInstanceOf(DeterminismViolationError);
  });
});

function withOtherActivity(history: History): History {
  const events = (history.events ?? []).map((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    return scheduled
      ? { ...event, activityTaskScheduledEventAttributes: { ...scheduled, activityType: { name: 'other' } } }
      : event;
  });
  return { ...history, events };
}
