/** A process of workers/ that is killed in the middle of its work and started again, with the same data directory. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkerProcess, type WorkerProcess } from './workerProcess.ts';

export interface RestartedWorker {
  /** ATTUNE_DATA_DIR of every process that is started, with a folder for blobs. */
  dataDir: string;
  /** Resolves when it polls for work. */
  start(): Promise<WorkerProcess>;
  /** As the machine's end would: no signal handler, no farewell to Temporal or the database. */
  kill(): Promise<void>;
  /** Call in afterAll. */
  close(): Promise<void>;
}

/** @param name of the file in workers/, without `.ts` */
export async function createRestartedWorker(name: string, env: Record<string, string>): Promise<RestartedWorker> {
  const dataDir = await mkdtemp(join(tmpdir(), `attune-${name}-restarted-`));
  await mkdir(join(dataDir, 'blobs'));
  let running: WorkerProcess | undefined;
  return {
    dataDir,
    async start() {
      running = await startWorkerProcess(name, { ...env, ATTUNE_DATA_DIR: dataDir });
      return running;
    },
    async kill() {
      running?.signal('SIGKILL');
      await running?.exited;
    },
    async close() {
      await running?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
