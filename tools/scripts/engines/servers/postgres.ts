/** Starts a separate PostgreSQL server: loopback only, no socket file, password required. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { EngineError } from '../fetch/engineError.ts';
import { requireFreePort } from './freePort.ts';
import { claimData, recordServer, releaseData, type Claim } from './leftover.ts';
import { prepareCluster } from './postgresCluster.ts';
import { OPEN_ROOT, chooseLayout, type PostgresLayout } from './postgresAccount.ts';
import {
  PROBE_TIMEOUT_MS,
  startProcess,
  waitUntilReady,
  settlesWithin,
  type ManagedProcess,
} from '../fetch/process.ts';

/** Long, because a start after a crash replays the log first. */
const READY_TIMEOUT_MS = 240_000;
const FAST_STOP_MS = 20_000;

export interface PostgresOptions {
  /** Folder of `postgres` and `initdb`. */
  binDir: string;
  /** Folder for the data, the password and the claim (leftover.ts); created when missing. */
  dataDir: string;
  port: number;
  report: (line: string) => void;
  /** Tests only: no fsync and no crash recovery, so a crash loses the data. */
  disposable?: boolean;
  /** Settings that add to or replace the usual ones. */
  settings?: Record<string, string>;
  /** See postgresAccount.ts; tests set it. */
  openRoot?: string;
}

export interface PostgresServer {
  /** Connects to the database `postgres` as the superuser `attune`. */
  url: string;
  pid: number;
  /** Resolves with a description of how the server ended. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

const DISPOSABLE_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};

function settings(options: PostgresOptions): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '128MB',
    log_min_messages: 'fatal',
    timezone: 'UTC',
    ...(options.disposable && DISPOSABLE_SETTINGS),
    ...options.settings,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function probe(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  client.on('error', () => {}); // a server that exits meanwhile is reported by its process
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => {});
  }
}

/** Reads the first line of the server's lock file. */
async function readServerPid(pgdata: string): Promise<number | null> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 1 ? pid : null;
}

/**
 * Claims the folder. A lock file that remains afterwards is stale: its process id may belong to another program by now.
 */
async function claimCluster(home: string, pgdata: string, report: (line: string) => void): Promise<Claim> {
  const claimFile = join(home, 'launcher.json');
  const serverPid = await readServerPid(pgdata);
  const claim: Claim = { name: 'postgres', claimFile, data: pgdata, serverPid, signals: ['SIGINT', 'SIGQUIT'], report };
  await claimData(claim);
  await rm(join(pgdata, 'postmaster.pid'), { force: true });
  return claim;
}

/**
 * Stops the server with SIGINT, PostgreSQL's fast shutdown, then with SIGQUIT, its immediate one, after which the next
 * start recovers the data from the log.
 */
async function stopFast(managed: ManagedProcess, claim: Claim): Promise<void> {
  if (!managed.ended) process.kill(managed.pid, 'SIGINT');
  await settlesWithin(managed.exited, FAST_STOP_MS);
  await managed.stop('SIGQUIT', 5000);
  await releaseData(claim);
}

function launch(options: PostgresOptions, place: PostgresLayout, pgdata: string): Promise<ManagedProcess> {
  return startProcess({
    command: join(place.binDir, 'postgres'),
    args: ['-D', pgdata, ...settings(options)],
    cwd: '/',
    ...(place.account && { account: place.account }),
    onLine: (line) => {
      if (/\b(FATAL|PANIC):  (?!terminating connection|the database system is)/.test(line))
        options.report(`postgres: ${line}`);
    },
  });
}

/**
 * Starts the server and waits until it is ready; creates its data folder on first use. As root, it runs as the account
 * `postgres` or `nobody`, if need be with its data elsewhere (see postgresAccount.ts). A server of the same folder that
 * outlived a killed launcher is stopped first (see leftover.ts).
 * @throws {EngineError} with one line that names the fix.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { report, port } = options;
  const place = await chooseLayout({
    binDir: options.binDir,
    home: options.dataDir,
    openRoot: options.openRoot ?? OPEN_ROOT,
    report,
  });
  const { pgdata, password } = await prepareCluster(place, report);
  const claim = await claimCluster(place.home, pgdata, report);
  await requireFreePort('postgres', port, 'POSTGRES_PORT');
  const url = `postgres://attune:${password}@127.0.0.1:${port}/postgres`;
  const managed = await launch(options, place, pgdata);
  try {
    await recordServer(claim, managed.pid);
    await waitUntilReady('postgres', managed, () => probe(url), READY_TIMEOUT_MS);
  } catch (error) {
    await stopFast(managed, claim);
    throw new EngineError((error as Error).message.replaceAll('\n', ' '), { cause: error });
  }
  return { url, pid: managed.pid, exited: managed.exited, stop: () => stopFast(managed, claim) };
}
