/** Temporal workers, set up the same way in every process. */
import { createRequire } from 'node:module';
import { setInterval, setTimeout } from 'node:timers/promises';
import { IllegalStateError } from '@temporalio/common';
import { NativeConnection, Runtime, Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import type { Queue } from '../../../domain/jobs/queues.ts';
import { activityMetrics } from '../metrics/activityMetrics.ts';
import type { RunningProcess } from '../lifecycle.ts';
import { describeError, type Logger } from '../logger.ts';
import { serveSdkMetrics } from '../metrics/sdkMetrics.ts';
import { connectionOptions, type TemporalEndpoint } from './temporalConnection.ts';
import { bundleWorkflows } from './workflowBundle.ts';
import { withOwnWorkflowThreads } from './workflowThreads.ts';

/** Time that work has after the grace period to obey the request to stop. */
const FORCE_MS = 4_000;
const CONNECT_TRIES = 60;
const CONNECT_PAUSE_MS = 1_000;
const STATE_CHECK_MS = 2_000;
/** The SDK accepts no fewer: one for new workflows and one for those in its cache. */
const MIN_WORKFLOW_TASKS = 2;

/** The settings of an installation that every Temporal worker follows. */
export interface WorkerSettings extends TemporalEndpoint {
  temporalNamespace: string;
  /** How long current work may continue after a stop was requested, in ms; then it is left to a retry. */
  workerGraceMs: number;
  /** File of the workflows' code; null: the worker bundles it when it starts. */
  workflowBundle: string | null;
}

export interface TemporalWorkerOptions {
  queue: Queue;
  activities: object;
  /** Number of concurrent activities. */
  concurrency: number;
  registry: Registry;
  /** Number of connection attempts, a second apart. */
  connectTries?: number;
  /** Entry of the workflows' code, for the one worker that runs workflows. */
  workflowsPath?: string;
}

export interface TemporalWorker extends RunningProcess {
  /** Rejects when the worker cannot continue. */
  ended: Promise<void>;
}

/**
 * Starts a worker that is the only work of its process: when it cannot continue, the supervisor has to restart the
 * process.
 */
export async function startOnlyWorker(
  config: WorkerSettings,
  logger: Logger,
  options: TemporalWorkerOptions,
): Promise<RunningProcess> {
  const worker = await startTemporalWorker(config, logger, options);
  worker.ended.catch((error: unknown) => {
    logger.fatal({ err: error }, 'the Temporal worker failed');
    process.exit(1);
  });
  return worker;
}

/** Starts a worker. @throws when Temporal does not answer for a minute, or refuses */
export async function startTemporalWorker(
  config: WorkerSettings,
  logger: Logger,
  options: TemporalWorkerOptions,
): Promise<TemporalWorker> {
  await installRuntime(logger);
  const connection = await connectWithRetries(config, logger, options.connectTries ?? CONNECT_TRIES);
  const worker = await createWorker(connection, config, logger, options);
  const ended = Promise.race([worker.run(), whenFailed(worker)]);
  // A caller that ignores `ended` must not leave its rejection unhandled.
  ended.catch(() => {});
  return {
    ended,
    async close() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended.catch(() => {});
      await connection.close();
    },
  };
}

/**
 * Rejects when the worker fails. After some faults (a namespace that no longer exists) its `run()` stays pending for
 * minutes while nothing is polled any more; its state shows the failure at once.
 */
async function whenFailed(worker: Worker): Promise<never> {
  for await (const _ of setInterval(STATE_CHECK_MS, undefined, { ref: false })) {
    if (worker.getState() === 'FAILED') throw new Error('the worker is in state FAILED');
    if (worker.getState() === 'STOPPED') break;
  }
  return new Promise(() => {});
}

async function createWorker(
  connection: NativeConnection,
  config: WorkerSettings,
  logger: Logger,
  options: TemporalWorkerOptions,
): Promise<Worker> {
  try {
    const bundle =
      options.workflowsPath === undefined ? null : await workflowBundle(config, logger, options.workflowsPath);
    return await withOwnWorkflowThreads(() =>
      Worker.create({
        connection,
        namespace: config.temporalNamespace,
        ...workerOptions(config, options, bundle),
      }),
    );
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function workflowBundle(
  config: WorkerSettings,
  logger: Logger,
  workflowsPath: string,
): Promise<WorkflowBundleOption> {
  if (config.workflowBundle !== null) return { codePath: config.workflowBundle };
  return { code: await bundleWorkflows(workflowsPath, sdkLogger(logger)) };
}

function workerOptions(
  { workerGraceMs }: WorkerSettings,
  options: TemporalWorkerOptions,
  bundle: WorkflowBundleOption | null,
): Omit<WorkerOptions, 'connection'> {
  // There is no build id: worker versioning was tried and stays off (docs/decisions/workflow-changes.md).
  const shared = {
    taskQueue: options.queue,
    activities: options.activities,
    shutdownGraceTime: workerGraceMs,
    shutdownForceTime: workerGraceMs + FORCE_MS,
    // A cancelled call should not continue, and cost money, for most of a heartbeat timeout.
    maxHeartbeatThrottleInterval: '5 seconds',
    interceptors: { activity: [activityMetrics(options.registry)] },
  } satisfies Partial<WorkerOptions>;
  if (bundle === null) {
    return { ...shared, maxConcurrentActivityTaskExecutions: options.concurrency };
  }
  return {
    ...shared,
    workflowBundle: bundle,
    // Only local activities run here: nobody puts others into this queue, and eager ones would take work that other
    // queues limit.
    enableNonLocalActivities: false,
    maxConcurrentLocalActivityExecutions: options.concurrency,
    // A workflow task lasts for as long as its local activity waits, and has a timeout of 10 s. So no more tasks are
    // taken than can run at once; the server keeps the others, in the order of priorities
    // (docs/decisions/temporal-pollers.md). Open polls occupy slots too.
    maxConcurrentWorkflowTaskExecutions: Math.max(options.concurrency, MIN_WORKFLOW_TASKS),
    maxEagerActivityReservationsPerWorkflowTask: 0,
    maxCachedWorkflows: 1_000,
    // By default only two polls at a time request work that no worker has cached: with a slow server, a timer that had
    // fired waited five minutes although the worker was idle (docs/decisions/temporal-pollers.md).
    workflowTaskPollerBehavior: { type: 'autoscaling' },
  };
}

/** A worker that starts before its server waits for it: in a fresh installation all start at once. */
async function connectWithRetries(
  config: TemporalEndpoint,
  logger: Logger,
  mostTries: number,
): Promise<NativeConnection> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await NativeConnection.connect(connectionOptions(config));
    } catch (error) {
      if (tries >= mostTries) throw error;
      if (tries === 1) logger.warn({ address: config.temporalAddress }, 'Temporal does not answer yet');
      await setTimeout(CONNECT_PAUSE_MS);
    }
  }
}

/**
 * The SDK's own log lines go to the product's log; its signal handlers are off, because platform/process/lifecycle.ts
 * has them.
 */
async function installRuntime(logger: Logger): Promise<void> {
  try {
    await serveSdkMetrics((bindAddress) =>
      Runtime.install({
        shutdownSignals: [],
        logger: sdkLogger(logger),
        telemetryOptions: { metrics: { prometheus: { bindAddress, useSecondsForDurations: true } } },
      }),
    );
  } catch (error) {
    // The SDK has one runtime per process; a restarted worker continues with the first.
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

type SdkLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

function sdkLogger(logger: Logger) {
  const at =
    (level: 'trace' | 'debug' | 'warn' | 'error') =>
    (message: string, meta: Record<string, unknown> = {}) =>
      logger[level](
        { sdk: { ...meta, ...(meta['error'] === undefined ? {} : { error: describeError(meta['error']) }) } },
        message,
      );
  const levels = { trace: at('trace'), debug: at('debug'), info: at('debug'), warn: at('warn'), error: at('error') };
  return {
    ...levels,
    log: (level: SdkLevel, message: string, meta?: Record<string, unknown>) =>
      levels[level.toLowerCase() as Lowercase<SdkLevel>](message, meta),
  };
}

/** Returns the absolute path of a module relative to `importMetaUrl`, for the workflow bundler. */
export function pathOf(importMetaUrl: string, relative: string): string {
  return createRequire(importMetaUrl).resolve(relative);
}
