/** Additional APIs over the same database: one that never asks selection, and one whose selection is killed. */
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { startTestApi } from '../../api/support/testApi.ts';
import { startWorkerProcess, type WorkerProcess } from '../../support/programs/workerProcess.ts';

export interface SideApi {
  /** The base address of its content API. */
  content: string;
  close(): Promise<void>;
}

/** Starts an API whose every answer is a fallback. */
export function startList(databaseUrl: string): Promise<SideApi> {
  return startTestApi({ databaseUrl, env: { SELECTION_DEADLINE_MS: '0' } });
}

export interface Frail extends SideApi {
  /** Ends its selection as a power failure would. */
  kill(): Promise<void>;
  /** Starts its selection again. */
  start(): Promise<void>;
}

export async function startFrail(databaseUrl: string, blobDir: string): Promise<Frail> {
  const port = String(await freePort());
  const env = { DATABASE_URL: databaseUrl, SELECTION_PORT: port, SELECTION_CATALOGUE_MB: '64', BLOB_DIR: blobDir };
  const start = (): Promise<WorkerProcess> => startWorkerProcess('selection', env);
  const [api, first] = await Promise.all([
    startTestApi({ databaseUrl, env: { SELECTION_URLS: `http://127.0.0.1:${port}` } }),
    start(),
  ]);
  let running = first;
  return {
    content: api.content,
    async kill() {
      running.signal('SIGKILL');
      await running.exited;
    },
    async start() {
      running = await start();
    },
    async close() {
      await running.stop();
      await api.close();
    },
  };
}
