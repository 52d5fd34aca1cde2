/** Additional APIs over the same database: one that never asks selection, and one whose selection is killed. */
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { startTestApi } from '../../api/support/testApi.ts';
import { startTcpProxy } from '../../support/servers/tcpProxy.ts';
import { startWorkerProcess, type WorkerProcess } from '../../support/programs/workerProcess.ts';
import { MANY_REQUESTS } from '../support/outputStage.ts';

export interface SideApi {
  /** The base address of its content API. */
  content: string;
  /** Lines of its log so far. */
  log: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Starts an API whose every answer is a fallback. */
export function startList(databaseUrl: string): Promise<SideApi> {
  return startTestApi({ databaseUrl, env: { SELECTION_DEADLINE_MS: '0', ...MANY_REQUESTS } });
}

export interface Frail extends SideApi {
  /** Number of times that its selection was killed. */
  readonly kills: number;
  /** Ends its selection as a power failure would, as soon as it has the next request, and starts it again. */
  killAtNextRequest(): void;
  /** Resolves when its selection runs again. */
  recovered(): Promise<void>;
}

export async function startFrail(databaseUrl: string, blobDir: string): Promise<Frail> {
  const port = String(await freePort());
  const env = { DATABASE_URL: databaseUrl, SELECTION_PORT: port, SELECTION_CATALOGUE_MB: '64', BLOB_DIR: blobDir };
  const start = (): Promise<WorkerProcess> => startWorkerProcess('selection', env);
  let running = await start();
  let restarted: Promise<void> | null = null;
  let isDoomed = false;
  let kills = 0;
  const replace = async (killed: WorkerProcess): Promise<void> => {
    await killed.exited;
    running = await start();
  };
  const proxy = await startTcpProxy(`127.0.0.1:${port}`, () => {
    if (!isDoomed) return;
    isDoomed = false;
    kills += 1;
    running.signal('SIGKILL');
    restarted = replace(running);
  });
  const api = await startTestApi({ databaseUrl, env: { SELECTION_URLS: `http://${proxy.address}`, ...MANY_REQUESTS } });
  return {
    content: api.content,
    log: api.log,
    get kills() {
      return kills;
    },
    killAtNextRequest() {
      isDoomed = true;
    },
    async recovered() {
      await restarted;
    },
    async close() {
      await restarted;
      await running.stop();
      await api.close();
      await proxy.close();
    },
  };
}
