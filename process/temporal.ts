/** Connections and workers of Temporal, set up the same way in every process. */
import { createRequire } from 'node:module';
import { Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Queue } from '../domain/queues.ts';
import { activityMetrics } from './activityMetrics.ts';
import type { RunningProcess } from './lifecycle.ts';
import type { Logger } from './logger.ts';

/** Work in hand may finish for so long after a stop was asked for; then it is given up to a retry. */
const GRACE = '8 seconds';
const FORCE = '12 seconds';
const CONNECT_TRIES = 60;
const CONNECT_PAUSE_MS = 1_000;

export interface TemporalWorkerOptions {
  queue: Queue;
  activities: object;
  /** Activities at a time. */
  concurrency: number;
  registry: Registry;
  /** Entry of the workflow bundle, for the one worker that runs workflows. */
  workflowsPath?: string;
}

/** A client connection that is made when first used, so that a process starts without Temporal. */
export function lazyConnection(config: Config): Connection {
  return Connection.lazy({ address: config.temporalAddress });
}

/** Starts a worker; it ends the process when it cannot go on, for whoever supervises to restart. */
export async function startTemporalWorker(config: Config, logger: Logger, options: TemporalWorkerOptions): Promise<RunningProcess> {
  installRuntime(logger);
  const connection = await connectPatiently(config, logger);
  const worker = await Worker.create({ connection, namespace: config.temporalNamespace, ...workerOptions(options) });
  const running = worker.run().catch((error: unknown) => {
    logger.fatal({ err: error }, 'the Temporal worker broke');
    process.exit(1);
  });
  return {
    async close() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

function workerOptions(options: TemporalWorkerOptions): Omit<WorkerOptions, 'connection'> {
  const shared = {
    taskQueue: options.queue,
    activities: options.activities,
    shutdownGraceTime: GRACE,
    shutdownForceTime: FORCE,
    interceptors: { activity: [activityMetrics(options.registry)] },
  } satisfies Partial<WorkerOptions>;
  if (options.workflowsPath === undefined) {
    return { ...shared, maxConcurrentActivityTaskExecutions: options.concurrency };
  }
  return {
    ...shared,
    workflowsPath: options.workflowsPath,
    // Only local activities run here: eager ones would take work that other queues limit.
    maxConcurrentLocalActivityExecutions: options.concurrency,
    maxEagerActivityReservationsPerWorkflowTask: 0,
    maxCachedWorkflows: 1_000,
  };
}

/** A worker started before its server waits for it: in a fresh installation all start at once. */
async function connectPatiently(config: Config, logger: Logger): Promise<NativeConnection> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await NativeConnection.connect({ address: config.temporalAddress });
    } catch (error) {
      if (tries >= CONNECT_TRIES) throw error;
      if (tries === 1) logger.warn({ address: config.temporalAddress }, 'Temporal does not answer yet');
      await new Promise((resolve) => setTimeout(resolve, CONNECT_PAUSE_MS));
    }
  }
}

/** The SDK's own log lines go where ours go; its signal handlers are off, process/lifecycle.ts has them. */
function installRuntime(logger: Logger): void {
  Runtime.install({ shutdownSignals: [], logger: sdkLogger(logger) });
}

type SdkLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

function sdkLogger(logger: Logger) {
  const at = (level: 'trace' | 'debug' | 'warn' | 'error') => (message: string, meta?: object) => logger[level]({ sdk: meta }, message);
  const levels = { trace: at('trace'), debug: at('debug'), info: at('debug'), warn: at('warn'), error: at('error') };
  return {
    ...levels,
    log: (level: SdkLevel, message: string, meta?: object) => levels[level.toLowerCase() as Lowercase<SdkLevel>](message, meta),
  };
}

/** Absolute path of a module beside `importMetaUrl`'s, for the workflow bundler. */
export function pathOf(importMetaUrl: string, relative: string): string {
  return createRequire(importMetaUrl).resolve(relative);
}
