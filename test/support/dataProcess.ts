/** The process workers/data.ts, to be killed in the middle of its work. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnv } from './bareEnv.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

export interface DataProcess {
  /** Resolves when it polls for work. */
  start(): Promise<void>;
  /** As the machine's end would: no signal handler, no farewell to Temporal or the database. */
  kill(): Promise<void>;
  /** Call in afterAll. */
  close(): Promise<void>;
}

export async function createDataProcess(
  databaseUrl: string,
  { address, namespace }: { address: string; namespace: string },
): Promise<DataProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'attune-data-worker-'));
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    async start() {
      child = fork(`${ROOT}workers/data.ts`, {
        cwd: ROOT,
        silent: true,
        execArgv: ['--disable-warning=ExperimentalWarning'],
        env: {
          ...bareEnv(),
          DATABASE_URL: databaseUrl,
          SECRET_KEY: 'a secret key of the tests, long enough',
          PUBLIC_URL: 'https://attune.example',
          LOG_LEVEL: 'fatal',
          ATTUNE_DATA_DIR: dataDir,
          TEMPORAL_ADDRESS: address,
          TEMPORAL_NAMESPACE: namespace,
        },
      });
      child.stderr?.pipe(process.stderr);
      const [message] = (await once(child, 'message')) as [{ type?: string }];
      if (message.type !== 'ready') throw new Error(`the data worker said ${JSON.stringify(message)} instead of ready`);
    },
    kill,
    async close() {
      await kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
