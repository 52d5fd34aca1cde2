/** A process of workers/, started as the service starts it, which a test can query, stop or kill. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { bareEnv } from './bareEnv.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

export interface WorkerProcess {
  pid: number | undefined;
  /** Reads its answer at /metrics. */
  metrics(): Promise<string>;
  /** Sends the signal without waiting for the end. */
  signal(signal: NodeJS.Signals): void;
  /** Its exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals | null>;
  /** Requests an orderly end and waits for it. Always call it at the end. */
  stop(): Promise<number | NodeJS.Signals | null>;
}

/** Returns the environment of every process that works for Temporal. */
export function workerEnv(databaseUrl: string, temporal: { address: string; namespace: string }) {
  return { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: temporal.namespace };
}

/**
 * Resolves when the process is ready. Its data directory is removed with it, unless `env` names another.
 * @param name of the file in workers/, without `.ts`
 */
export async function startWorkerProcess(name: string, env: Record<string, string>): Promise<WorkerProcess> {
  const [dataDir, metricsPort] = await Promise.all([mkdtemp(join(tmpdir(), `attune-${name}-worker-`)), freePort()]);
  const child = fork(`${ROOT}workers/${name}.ts`, {
    cwd: ROOT,
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...bareEnv(),
      SECRET_KEY: 'a secret key of the tests, long enough',
      PUBLIC_URL: 'https://attune.example',
      LOG_LEVEL: 'fatal',
      ATTUNE_DATA_DIR: dataDir,
      METRICS_PORT: String(metricsPort),
      ...env,
    },
  });
  child.stderr?.pipe(process.stderr);
  child.stdout?.resume();
  const exited = once(child, 'exit').then(async ([code, signal]: (number | NodeJS.Signals | null)[]) => {
    await rm(dataDir, { recursive: true, force: true });
    return code ?? signal ?? null;
  });
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  try {
    const [word] = (await Promise.race([once(child, 'message'), exited.then((code) => [{ ended: code }])])) as [
      { type?: string },
    ];
    if (word.type !== 'ready') throw new Error(`workers/${name}.ts said ${JSON.stringify(word)} instead of ready`);
  } catch (error) {
    // No caller could do this: only a process that has started is returned.
    if (isRunning()) child.kill('SIGKILL');
    await exited;
    throw error;
  }
  return {
    pid: child.pid,
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    signal: (signal) => void child.kill(signal),
    exited,
    stop() {
      if (isRunning()) child.kill('SIGTERM');
      return exited;
    },
  };
}
