/** Recorded histories tell a change of workflow code that running workflows survive from one that they do not. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Runtime, type WorkflowBundle } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { changeWorkflows, writeChange, type Change } from '../../chaos/support/changedWorkflows.ts';
import { makeRelease, type Release } from '../../chaos/support/release.ts';
import { readHistories, replayHistory } from '../support/replay.ts';

const histories = await readHistories();
/** Of the workflows that the change touches. */
const touched = histories.filter(({ name }) => /^(item|delivery|expand-orders)/.test(name));

describe('workflows that do something more at their beginning', () => {
  let release: Release;
  const bundles = new Map<Change, WorkflowBundle>();

  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } } });
    release = await makeRelease();
    await changeWorkflows(release, 'patched');
    bundles.set('patched', await bundle());
    await writeChange(release, 'careless');
    bundles.set('careless', await bundle());
  }, 120_000);
  afterAll(() => release.remove());

  const bundle = () => bundleWorkflowCode({ workflowsPath: join(release.root, 'workflows/index.ts'), logger: new DefaultLogger('ERROR') });

  function replay(change: Change, { name, history }: (typeof histories)[number]): Promise<void> {
    const workflowBundle = bundles.get(change);
    if (!workflowBundle) throw new Error(`there is no bundle of the ${change} change`);
    return replayHistory(workflowBundle, history, name);
  }

  it.each(histories)('with patched(): $name replays', async (recorded) => {
    await expect(replay('patched', recorded)).resolves.toBeUndefined();
  });

  it.each(touched)('without: $name does not replay', async (recorded) => {
    await expect(replay('careless', recorded)).rejects.toThrow(DeterminismViolationError);
  });
});
