/** Workers of Temporal, set up the same way in every process. */
import { createRequire } from 'node:module';
import { setInterval, setTimeout } from 'node:timers/promises';
import { IllegalStateError } from '@temporalio/common';
import { NativeConnection, Runtime, Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import type { KeylessConfig } from '../config.ts';
import type { Queue } from '../domain/queues.ts';
import { activityMetrics } from './activityMetrics.ts';
import type { RunningProcess } from './lifecycle.ts';
import { describeError, type Logger } from './logger.ts';
import { serveSdkMetrics } from './sdkMetrics.ts';
import { connectionOptions } from './temporalConnection.ts';
import { bundleWorkflows } from './workflowBundle.ts';

/** How long work may take to obey when it is told to stop, after its grace. */
const FORCE_MS = 4_000;
const CONNECT_TRIES = 60;
const CONNECT_PAUSE_MS = 1_000;
const STATE_CHECK_MS = 2_000;

export interface TemporalWorkerOptions {
  queue: Queue;
  activities: object;
  /** Activities at a time. */
  concurrency: number;
  registry: Registry;
  /** How often to ask for the server, a second apart. */
  connectTries?: number;
  /** Entry of the workflows' code, for the one worker that runs workflows. */
  workflowsPath?: string;
}

export interface TemporalWorker extends RunningProcess {
  /** Rejects when the worker cannot go on. */
  ended: Promise<void>;
}

/** A worker that is all its process does: when it cannot go on, whoever supervises has to restart the process. */
export async function startOnlyWorker(
  config: KeylessConfig,
  logger: Logger,
  options: TemporalWorkerOptions,
): Promise<RunningProcess> {
  const worker = await startTemporalWorker(config, logger, options);
  worker.ended.catch((error: unknown) => {
    logger.fatal({ err: error }, 'the Temporal worker broke');
    process.exit(1);
  });
  return worker;
}

/** @throws when Temporal does not answer for a minute, or refuses */
export async function startTemporalWorker(
  config: KeylessConfig,
  logger: Logger,
  options: TemporalWorkerOptions,
): Promise<TemporalWorker> {
  await installRuntime(logger);
  const connection = await connectPatiently(config, logger, options.connectTries ?? CONNECT_TRIES);
  const worker = await createWorker(connection, config, logger, options);
  const ended = Promise.race([worker.run(), whenFailed(worker)]);
  // Whoever does not look at `ended` must not leave its rejection unhandled.
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
 * Rejects when the worker fails. After some faults (a namespace that is gone) its `run()` stays
 * pending for minutes while nothing is polled any more; its state tells at once.
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
  config: KeylessConfig,
  logger: Logger,
  options: TemporalWorkerOptions,
): Promise<Worker> {
  try {
    const bundle =
      options.workflowsPath === undefined ? null : await workflowBundle(config, logger, options.workflowsPath);
    return await Worker.create({
      connection,
      namespace: config.temporalNamespace,
      ...workerOptions(config, options, bundle),
    });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function workflowBundle(
  config: KeylessConfig,
  logger: Logger,
  workflowsPath: string,
): Promise<WorkflowBundleOption> {
  if (config.workflowBundle !== null) return { codePath: config.workflowBundle };
  return { code: await bundleWorkflows(workflowsPath, sdkLogger(logger)) };
}

function workerOptions(
  { workerGraceMs }: KeylessConfig,
  options: TemporalWorkerOptions,
  bundle: WorkflowBundleOption | null,
): Omit<WorkerOptions, 'connection'> {
  // No build id: worker versioning was tried and stays off (docs/decisions/workflow-changes.md).
  const shared = {
    taskQueue: options.queue,
    activities: options.activities,
    shutdownGraceTime: workerGraceMs,
    shutdownForceTime: workerGraceMs + FORCE_MS,
    // A cancelled call should not go on, and cost, for most of a heartbeat timeout.
    maxHeartbeatThrottleInterval: '5 seconds',
    interceptors: { activity: [activityMetrics(options.registry)] },
  } satisfies Partial<WorkerOptions>;
  if (bundle === null) {
    return { ...shared, maxConcurrentActivityTaskExecutions: options.concurrency };
  }
  return {
    ...shared,
    workflowBundle: bundle,
    // Only local activities run here: nobody puts others into this queue, and eager ones would take work that
    // other queues limit.
    enableNonLocalActivities: false,
    maxConcurrentLocalActivityExecutions: options.concurrency,
    maxEagerActivityReservationsPerWorkflowTask: 0,
    maxCachedWorkflows: 1_000,
    // By default two polls at a time ask for work that no worker has cached: with a slow server a timer that had fired
    // waited five minutes beside an idle worker (docs/decisions/temporal-pollers.md).
    workflowTaskPollerBehavior: { type: 'autoscaling' },
  };
}

/** A worker started before its server waits for it: in a fresh installation all start at once. */
async function connectPatiently(config: KeylessConfig, logger: Logger, mostTries: number): Promise<NativeConnection> {
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

/** The SDK's own log lines go where ours go; its signal handlers are off, process/lifecycle.ts has them. */
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
    // The SDK has one runtime a process; a worker that is started again goes on with the first.
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

/** Absolute path of a module beside `importMetaUrl`'s, for the workflow bundler. */
export function pathOf(importMetaUrl: string, relative: string): string {
  return createRequire(importMetaUrl).resolve(relative);
}
