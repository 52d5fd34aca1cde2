/** A process of workers/ that is killed in the middle of its work and restarted with the same data directory. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkerProcess, type WorkerProcess } from './workerProcess.ts';

export interface RestartedWorker {
  /** ATTUNE_DATA_DIR of every started process, with a folder for blobs. */
  dataDir: string;
  /** Resolves when the process polls for work. */
  start(): Promise<WorkerProcess>;
  /**
   * Kills the process as a power failure would: no signal handler runs, and Temporal and the database are not
   * notified.
   */
  kill(): Promise<void>;
  /** Call it in afterAll. */
  close(): Promise<void>;
}

/** @param name name of the file in workers/, without `.ts` */
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
