import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { pino } from 'pino';
import { loadConfig } from '../../../../config.ts';
import { mapSteps, type StepRecord } from '../../../../domain/analysis/steps.ts';
import type { ItemPlan } from '../../../../domain/jobs/workflowMessages.ts';
import { createRegistry } from '../../../../platform/process/metrics/metrics.ts';
import { startTemporalWorker } from '../../../../platform/process/temporal/temporalWorkers.ts';
import { eventually } from '../../../support/eventually.ts';
import { createTestTemporal, type TestTemporal } from '../../../support/temporal.ts';
import { testWorkflowBundle } from '../../../support/workflows/workflows.ts';

describe('startTemporalWorker', () => {
  let temporal: TestTemporal;
  const logger = pino({ level: 'silent' });
  const options = { queue: 'ai' as const, activities: { nothing: () => Promise.resolve() }, concurrency: 1 };
  const configOf = (env: Record<string, string>) =>
    loadConfig({
      DATABASE_URL: 'postgres://localhost/none',
      SECRET_KEY: 'x'.repeat(32),
      REQUIRE_HTTPS: 'false',
      TEMPORAL_ADDRESS: temporal.address,
      ...env,
    });

  beforeAll(async () => {
    temporal = await createTestTemporal();
  });
  afterAll(() => temporal.close());

  it('ends without an error when it is closed, and can be started again', async () => {
    const registry = createRegistry('test');
    for (const _ of [1, 2]) {
      const worker = await startTemporalWorker(configOf({ TEMPORAL_NAMESPACE: temporal.namespace }), logger, {
        ...options,
        registry,
      });
      await worker.close();
      await expect(worker.ended).resolves.toBeUndefined();
    }
  });

  it('fails instead of staying alive if its namespace does not exist', async () => {
    const start = startTemporalWorker(configOf({ TEMPORAL_NAMESPACE: 'nowhere' }), logger, {
      ...options,
      registry: createRegistry('test'),
    });
    await expect(start.then(({ ended }) => ended)).rejects.toThrow(/nowhere|not found|FAILED/);
  });

  it('uses a prebuilt bundle of the workflows without looking for sources', async () => {
    const { codePath } = await testWorkflowBundle();
    const config = configOf({ TEMPORAL_NAMESPACE: temporal.namespace, WORKFLOW_BUNDLE: codePath });
    const worker = await startTemporalWorker(config, logger, {
      ...options,
      queue: 'workflow',
      workflowsPath: '/no/such/index.ts',
      registry: createRegistry('test'),
    });
    await worker.close();
    await expect(worker.ended).resolves.toBeUndefined();
  });

  describe('a worker that is asked to stop', () => {
    /** Runs an activity that reports when it starts; the test decides how it ends. */
    async function stopDuring(
      grace: string,
      work: (stopped: Promise<void>, cancelled: Promise<never>) => Promise<string>,
    ) {
      const config = configOf({ TEMPORAL_NAMESPACE: temporal.namespace, WORKER_GRACE_SECONDS: grace });
      let started = (): void => {};
      let stop = (): void => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const stopped = new Promise<void>((resolve) => (stop = resolve));
      const taskQueue = `grace-${grace}` as 'ai';
      const attempts: Promise<string>[] = [];
      const worker = await startTemporalWorker(config, logger, {
        ...options,
        queue: taskQueue,
        activities: {
          long: () => {
            started();
            const attempt = work(stopped, Context.current().cancelled);
            attempts.push(attempt);
            return attempt;
          },
        },
        registry: createRegistry('test'),
      });
      await temporal.client.activity.start('long', { id: `long-${grace}`, taskQueue, startToCloseTimeout: '1 minute' });
      await running;
      const asked = performance.now();
      const closed = worker.close();
      stop();
      const [outcome] = await Promise.allSettled(attempts);
      const tookMs = performance.now() - asked;
      await closed;
      return { outcome, tookMs };
    }

    it('lets running work finish within its grace period', async () => {
      const { outcome } = await stopDuring('60', async (stopped, cancelled) => {
        await stopped;
        // Longer than a worker with a short grace period would wait.
        return Promise.race([setTimeout(1_500).then(() => 'done'), cancelled]);
      });
      expect(outcome).toEqual({ status: 'fulfilled', value: 'done' });
    });

    it('abandons work that is unfinished after its grace period', async () => {
      const { outcome, tookMs } = await stopDuring('0.5', (_stopped, cancelled) => cancelled);
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'WORKER_SHUTDOWN' } });
      expect(tookMs).toBeLessThan(7_000); // the default grace is 8 s
    });
  });

  it('polls for no activities where workflows run: only local ones exist', async () => {
    const { codePath } = await testWorkflowBundle();
    const config = configOf({ TEMPORAL_NAMESPACE: temporal.namespace, WORKFLOW_BUNDLE: codePath });
    const worker = await startTemporalWorker(config, logger, {
      ...options,
      queue: 'workflow',
      workflowsPath: '/no/such/index.ts',
      registry: createRegistry('test'),
    });
    const pollersOf = async (taskQueueType: 1 | 2) => {
      const { pollers } = await temporal.client.workflowService.describeTaskQueue({
        namespace: temporal.namespace,
        taskQueue: { name: 'workflow' },
        taskQueueType,
      });
      return pollers.filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds) * 1000 > startedAt).length;
    };
    const startedAt = Date.now() - 1_000;
    await eventually(async () => (await pollersOf(1)) > 0, 'the poll for workflow tasks');
    expect(await pollersOf(2)).toBe(0);
    await worker.close();
  });

  it('keeps no stacks of the promises that workflows make', async () => {
    const { codePath } = await testWorkflowBundle();
    const steps = mapSteps((step): StepRecord => ({
      state: step === 'summary' ? 'deferred' : 'done',
      revision: 1,
      deferrals: 0,
      retryAt: null,
      error: null,
    }));
    const plan: ItemPlan = {
      steps,
      todo: { prepare: [], speech: [], vision: [] },
      retryInMs: { summary: 60_000 },
      quick: [],
    };
    const config = configOf({ TEMPORAL_NAMESPACE: temporal.namespace, WORKFLOW_BUNDLE: codePath });
    const worker = await startTemporalWorker(config, logger, {
      ...options,
      queue: 'workflow',
      activities: { readPlan: () => Promise.resolve(plan) },
      workflowsPath: '/no/such/index.ts',
      registry: createRegistry('test'),
    });
    const args = [{ projectId: 'p', itemId: 'a' }];
    const handle = await temporal.client.workflow.start('item', {
      workflowId: 'stackless',
      taskQueue: 'workflow',
      args,
    });
    await expect(handle.query('__stack_trace')).rejects.toThrow('stack traces are not enabled');
    await handle.terminate();
    await worker.close();
  });

  it.each(['endless', 'endlessWhenWoken'])('ends the task of a workflow that never yields: %s', async (workflow) => {
    const worker = await startTemporalWorker(configOf({ TEMPORAL_NAMESPACE: temporal.namespace }), logger, {
      ...options,
      queue: 'workflow',
      workflowsPath: join(import.meta.dirname, '../fixtures/endlessWorkflows.ts'),
      registry: createRegistry('test'),
    });
    const handle = await temporal.client.workflow.start(workflow, { workflowId: workflow, taskQueue: 'workflow' });
    const failure = await eventually(async () => {
      const { events } = await handle.fetchHistory();
      return events?.find((event) => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes
        ?.failure;
    }, 'the end of the task');
    expect(failure.message).toContain('timed out');
    await handle.terminate();
    await worker.close();
  });

  it('takes no more workflow tasks at a time than its concurrency allows', async () => {
    const { codePath } = await testWorkflowBundle();
    const config = configOf({ TEMPORAL_NAMESPACE: temporal.namespace, WORKFLOW_BUNDLE: codePath });
    const worker = await startTemporalWorker(config, logger, {
      ...options,
      queue: 'workflow',
      concurrency: 3,
      // A worker without the limit would take more tasks during this time.
      activities: { readPlan: () => setTimeout(500, null) },
      workflowsPath: '/no/such/index.ts',
      registry: createRegistry('test'),
    });
    const handles = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((itemId) =>
        temporal.client.workflow.start('item', {
          workflowId: `in-hand-${itemId}`,
          taskQueue: 'workflow',
          args: [{ projectId: 'p', itemId }],
        }),
      ),
    );
    await Promise.all(handles.map((handle) => handle.result()));
    const histories = await Promise.all(handles.map((handle) => handle.fetchHistory()));
    const tasks = histories.map(({ events }) => {
      const at = (kind: 'workflowTaskStartedEventAttributes' | 'workflowTaskCompletedEventAttributes'): number =>
        tsToMs(events?.find((event) => event[kind])?.eventTime);
      return {
        from: at('workflowTaskStartedEventAttributes'),
        to: at('workflowTaskCompletedEventAttributes'),
      };
    });
    const inFlight = tasks.map(({ from }) => tasks.filter((other) => other.from <= from && from < other.to).length);
    expect(Math.max(...inFlight)).toBeLessThanOrEqual(3);
    await worker.close();
  });

  it('gives up on a server that does not answer', async () => {
    const config = configOf({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    await expect(
      startTemporalWorker(config, logger, { ...options, registry: createRegistry('test'), connectTries: 1 }),
    ).rejects.toThrow(/connect|transport/i);
  });
});
