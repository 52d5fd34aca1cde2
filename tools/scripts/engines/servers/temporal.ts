/** Starts Temporal's development server: one process with the web page, on SQLite. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../../domain/jobs/searchAttributes.ts';
import { raiseSessionPriority } from '../../../../platform/process/niceness.ts';
import { setUpSearchAttributes } from '../../temporal/namespace.ts';
import { EngineError } from '../fetch/engineError.ts';
import { requireFreePort } from './freePort.ts';
import { claimData, recordServer, releaseData, type Claim } from './leftover.ts';
import { PROBE_TIMEOUT_MS, startProcess, waitUntilReady, type ManagedProcess } from '../fetch/process.ts';

/** Generous, because it only has to end a hang: on a busy machine the start takes a minute. */
const READY_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 10_000;

export interface TemporalOptions {
  /** Path of the `temporal` program. */
  binary: string;
  /** SQLite file that keeps the workflows between runs; null keeps them in memory. */
  dbFile: string | null;
  port: number;
  /** Port of the web page; null runs without it. */
  uiPort: number | null;
  report: (line: string) => void;
  /** Namespaces to create besides `default`. */
  namespaces?: readonly string[];
}

export interface TemporalServer {
  address: string;
  uiUrl: string | null;
  pid: number;
  /** Resolves with a description of how the server ended. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** Settings of the server, as ops/temporal/dynamicconfig.yaml has them for production. */
export const DYNAMIC_CONFIG = {
  'matching.enableFairness': true,
  'matching.numTaskqueueWritePartitions': 1,
  'frontend.WorkflowPauseEnabled': true,
  'system.forceSearchAttributesCacheRefreshOnRead': false,
};

/**
 * Returns the server's arguments. Priority needs no setting since server 1.30 (`matching.useNewMatcher` is on);
 * fairness between the keys of one priority does. The two pragmas make file mode 2.5 times as fast as the default; a
 * power failure can lose the last moments, which the reconciler restores.
 */
function serverArguments(options: TemporalOptions): string[] {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port)];
  args.push('--log-level', 'error');
  for (const [name, value] of Object.entries(DYNAMIC_CONFIG)) args.push('--dynamic-config-value', `${name}=${value}`);
  args.push(...(options.uiPort === null ? ['--headless'] : ['--ui-port', String(options.uiPort)]));
  for (const namespace of options.namespaces ?? []) args.push('--namespace', namespace);
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTE_TYPES))
    args.push('--search-attribute', `${name}=${type === 'KEYWORD' ? 'Keyword' : 'KeywordList'}`);
  if (options.dbFile !== null) {
    args.push('--db-filename', options.dbFile);
    args.push('--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal');
  }
  return args;
}

/**
 * Registers search attributes: the server does so only with a new file, and a file of an earlier version may lack some.
 */
async function addSearchAttributes(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await setUpSearchAttributes(connection, 'default');
  } finally {
    await connection.close();
  }
}

/** Probes a namespace, because the front end answers before its namespaces are loaded. */
async function probeNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: PROBE_TIMEOUT_MS });
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } finally {
    await connection.close();
  }
}

/** Claims the file, because two servers on it would corrupt it; a server in memory needs no claim. */
async function claimFile({ dbFile, report }: TemporalOptions): Promise<Claim | null> {
  if (dbFile === null) return null;
  await mkdir(dirname(dbFile), { recursive: true });
  const claim: Claim = {
    name: 'temporal',
    claimFile: `${dbFile}.launcher.json`,
    data: dbFile,
    signals: ['SIGTERM', 'SIGKILL'],
    report,
  };
  await claimData(claim);
  return claim;
}

async function requirePorts({ port, uiPort }: TemporalOptions): Promise<void> {
  await requireFreePort('temporal', port, 'TEMPORAL_PORT');
  if (uiPort !== null) await requireFreePort('temporal', uiPort, 'TEMPORAL_UI_PORT');
}

async function launch(options: TemporalOptions): Promise<ManagedProcess> {
  try {
    return await startProcess({
      command: options.binary,
      args: serverArguments(options),
      onLine: (line) => {
        if (/"level":"(error|fatal)"|^Error:|level=(ERROR|FATAL)/.test(line)) options.report(`temporal: ${line}`);
      },
    });
  } catch (error) {
    throw new EngineError(
      `temporal: ${options.binary} does not start (${(error as Error).message}): set TEMPORAL_CLI`,
      { cause: error },
    );
  }
}

/**
 * Starts the server on loopback and waits until its namespaces answer. A server of the same file that outlived a killed
 * launcher is stopped first (see leftover.ts).
 * @throws {EngineError} when it does not become ready, with its last output.
 */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const address = `127.0.0.1:${options.port}`;
  const claim = await claimFile(options);
  await requirePorts(options);
  const managed = await launch(options);
  // Without it, a server on an overloaded machine misses its own time limits, and repeats the work.
  raiseSessionPriority(managed.pid);
  const stop = async (): Promise<void> => {
    await managed.stop('SIGTERM', STOP_TIMEOUT_MS);
    if (claim) await releaseData(claim);
  };
  try {
    if (claim) await recordServer(claim, managed.pid);
    const namespace = options.namespaces?.at(-1) ?? 'default';
    await waitUntilReady('temporal', managed, () => probeNamespace(address, namespace), READY_TIMEOUT_MS);
    if (claim) await addSearchAttributes(address);
  } catch (error) {
    await stop();
    throw new EngineError((error as Error).message.replaceAll('\n', ' '), { cause: error });
  }
  return {
    address,
    uiUrl: options.uiPort === null ? null : `http://127.0.0.1:${options.uiPort}`,
    pid: managed.pid,
    exited: managed.exited,
    stop,
  };
}
