/** PostgreSQL and Temporal for the stack: started and kept running here, or external ones from the settings. */
import { join } from 'node:path';
import { startPostgres } from '../engines/servers/postgres.ts';
import { startTemporal } from '../engines/servers/temporal.ts';
import { recordChildrenDuring } from './lock/children.ts';
import { keepEngine } from './engine.ts';
import type { Programs } from './settings/programs.ts';
import type { DevSettings } from './settings/devSettings.ts';
import type { StackLock } from './lock/stackLock.ts';

/**
 * PostgreSQL's own cache, as in docker-compose.yml: the tables and indexes that requests over 100,000 items touch do
 * not fit into its usual 128 MB. Memory is only taken as the cache fills.
 */
export const SHARED_BUFFERS = '512MB';

export interface Engine {
  /** Address that services connect to. */
  address: string;
  /** Address of the web page; null when none is known. */
  uiUrl: string | null;
  stop(limitMs: number): Promise<void>;
}

export interface EngineContext {
  settings: DevSettings;
  programs: Programs;
  lock: StackLock;
  report: (line: string) => void;
  onProcess: (name: string, pid: number) => Promise<void>;
  stopping: AbortSignal;
}

/** @throws {EngineError} with one line that names the fix. */
export async function startPostgresEngine({
  settings,
  programs,
  lock,
  report,
  onProcess,
  stopping,
}: EngineContext): Promise<Engine> {
  const binDir = programs.postgresBinDir;
  if (settings.databaseUrl !== null || binDir === null) return externalEngine(settings.databaseUrl ?? '');
  const options = {
    binDir,
    dataDir: join(settings.dataDir, 'postgres'),
    port: settings.postgresPort,
    report,
    settings: { shared_buffers: SHARED_BUFFERS },
  };
  const { server, stop } = await keepEngine({
    name: 'postgres',
    start: () => recordChildrenDuring(lock, startPostgres(options)),
    report,
    stopping,
    onProcess: (pid) => onProcess('postgres', pid),
  });
  return { address: server.url, uiUrl: null, stop };
}

/** @throws {EngineError} with one line that names the fix. */
export async function startTemporalEngine({
  settings,
  programs,
  lock,
  report,
  onProcess,
  stopping,
}: EngineContext): Promise<Engine> {
  const binary = programs.temporal;
  if (settings.temporalAddress !== null || binary === null) return externalEngine(settings.temporalAddress ?? '');
  const dbFile = join(settings.dataDir, 'temporal', 'temporal.db');
  const options = { binary, dbFile, port: settings.temporalPort, uiPort: settings.temporalUiPort, report };
  const { server, stop } = await keepEngine({
    name: 'temporal',
    start: () => recordChildrenDuring(lock, startTemporal(options)),
    report,
    stopping,
    onProcess: (pid) => onProcess('temporal', pid),
  });
  return { address: server.address, uiUrl: server.uiUrl, stop };
}

/** Uses an external server, which is left running. */
function externalEngine(address: string): Engine {
  return { address, uiUrl: null, stop: async () => {} };
}
