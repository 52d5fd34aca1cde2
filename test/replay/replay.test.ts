import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { parseHistory, readHistories, REPLAY_DIR, replayHistories, type History } from '../support/workflows/replay.ts';
import * as workflows from '../../workflows/index.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';

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
    // Runs before the others: a history that does not replay must not affect those after it.
    const text = await readFile(join(REPLAY_DIR, 'item-text.json'), 'utf8');
    const older = { name: 'older', history: withoutStep(text, 'vision') };
    outcomes = await replayHistories(await testWorkflowBundle(), [changed, older, ...histories]);
  });

  it('exist for every workflow', () => {
    const recorded = histories.map(
      ({ history }) => history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    expect([...new Set(recorded)].sort()).toEqual(Object.keys(workflows).sort());
  });

  it.each(histories)('$name replays', ({ name }) => {
    expect(outcomes.get(name)).toBeNull();
  });

  it('replay even if they are from before a step existed', () => {
    expect(outcomes.get('older')).toBeNull();
  });

  it('reveal a change: a history with another activity does not replay', () => {
    expect(outcomes.get('changed')).toBeInstanceOf(DeterminismViolationError);
  });
});

/** Returns the history as recorded before the step existed: no plan and no result contains it. */
function withoutStep(json: string, step: string): History {
  const strip = (data: string): string => {
    const payload: unknown = JSON.parse(Buffer.from(data, 'base64').toString('utf8'), (key, value: unknown) =>
      key === step ? undefined : value,
    );
    return Buffer.from(JSON.stringify(payload)).toString('base64');
  };
  const stripped: unknown = JSON.parse(json, (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? strip(value) : value,
  );
  return parseHistory(JSON.stringify(stripped));
}

function withOtherActivity(history: History): History {
  const events = (history.events ?? []).map((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    return scheduled
      ? { ...event, activityTaskScheduledEventAttributes: { ...scheduled, activityType: { name: 'other' } } }
      : event;
  });
  return { ...history, events };
}
