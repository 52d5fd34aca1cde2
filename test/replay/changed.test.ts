/**
 * Recorded histories distinguish a change of workflow code that running workflows survive from one that they do
 * not.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { readHistories, replayHistories } from '../support/workflows/replay.ts';
import { changedWorkflowBundle } from '../support/workflows/workflows.ts';

const histories = await readHistories();
/** Histories of the workflows that the change affects. */
const touched = histories.filter(({ name }) => /^(item|delivery|expand-orders)/.test(name));

describe('workflows that do more at their beginning', () => {
  let patched: Map<string, Error | null>;
  let careless: Map<string, Error | null>;

  beforeAll(async () => {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
    });
    patched = await replayHistories(await changedWorkflowBundle('patched'), histories);
    careless = await replayHistories(await changedWorkflowBundle('careless'), histories);
  });

  it.each(histories)('with patched(): $name replays', ({ name }) => {
    expect(patched.get(name)).toBeNull();
  });

  it.each(touched)('without patched(): $name does not replay', ({ name }) => {
    expect(careless.get(name)).toBeInstanceOf(DeterminismViolationError);
  });

  it('without patched(): the histories of other workflows replay', () => {
    const failed = [...careless].filter(([, error]) => error !== null).map(([name]) => name);
    expect(failed.toSorted()).toEqual(touched.map(({ name }) => name).toSorted());
  });
});
