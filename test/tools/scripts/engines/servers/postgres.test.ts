import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../../../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../../../../tools/scripts/engines/index.ts';
import { startPostgres, type PostgresServer } from '../../../../../tools/scripts/engines/servers/postgres.ts';
import { isAlive } from '../../../../../tools/scripts/engines/fetch/process.ts';
import { copyCluster } from '../../../../support/servers/cluster.ts';

const asRoot = process.getuid?.() === 0;
let binDir: string;
let folder: string;
let lines: string[];
let servers: PostgresServer[];

beforeAll(async () => {
  binDir = await resolveEngine('postgres', { report: () => {}, env: process.env });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-pg-'));
  await chmod(folder, 0o755);
  lines = [];
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(
  options: { binDir?: string; dataDir?: string; port?: number; openRoot?: string } = {},
): Promise<PostgresServer> {
  const settings = {
    binDir,
    dataDir: join(folder, 'data'),
    port: await freePort(),
    report: (line: string) => lines.push(line),
    disposable: true,
  };
  const server = await startPostgres({ ...settings, ...options });
  servers.push(server);
  return server;
}

async function ask(url: string, statement: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows[0];
  } finally {
    await client.end();
  }
}

/** Starts a launcher in a separate process, which can be killed. */
async function launch(): Promise<{ launcher: ChildProcess; url: string; pid: number }> {
  const { NODE_OPTIONS: _forJestOnly, ...env } = process.env;
  const args = [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'launch.ts'),
    binDir,
    join(folder, 'data'),
    String(await freePort()),
  ];
  const launcher = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const [text] = (await once(launcher.stdout, 'data')) as [Buffer];
  return { launcher, ...(JSON.parse(String(text)) as { url: string; pid: number }) };
}

/** A first start takes ten times as long as a start on a copied folder, so one test checks all of this. */
describe('startPostgres in a new folder', () => {
  it('starts after an interrupted attempt, with a password and on loopback only; keeps its data; ends', async () => {
    await mkdir(join(folder, 'data', 'pgdata.new'), { recursive: true });
    await writeFile(join(folder, 'data', 'pgdata.new', 'PG_VERSION'), 'half');
    const first = await start();

    const wrong = new URL(first.url);
    wrong.password = 'guess';
    await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    const shown =
      "select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets";
    expect(await ask(first.url, shown)).toEqual({ addresses: '127.0.0.1', sockets: '' });
    const { mode, uid } = await stat(join(folder, 'data', 'password'));
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: process.getuid?.() });

    await ask(first.url, "create table kept as select to_tsvector('russian', 'Миры')::text as word");
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(await ask(second.url, 'select word, getdatabaseencoding() as encoding from kept')).toEqual({
      word: "'мир':1",
      encoding: 'UTF8',
    });
  });
});

describe('startPostgres', () => {
  it('stops the server of a killed launcher, and keeps its data', async () => {
    await copyCluster(join(folder, 'data'));
    const { launcher, url, pid } = await launch();
    await ask(url, 'create table kept as select 1 as one');
    const ended = once(launcher, 'exit');
    launcher.kill('SIGKILL');
    await ended;
    expect(isAlive(pid)).toBe(true);
    const server = await start();
    expect(isAlive(pid)).toBe(false);
    expect(lines).toEqual([`postgres: stopping the server ${pid} that an earlier run left behind`]);
    expect(await ask(server.url, 'select one from kept')).toEqual({ one: 1 });
  });

  it('does not touch the server of a launcher that is still running', async () => {
    await copyCluster(join(folder, 'data'));
    const { launcher, url } = await launch();
    const ended = once(launcher, 'exit');
    await expect(start()).rejects.toThrow(`process ${launcher.pid} already serves`);
    expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 });
    launcher.stdin?.end();
    await ended;
  });

  it('removes a lock file whose process number now belongs to another program', async () => {
    await copyCluster(join(folder, 'data'));
    await (await start()).stop();
    await writeFile(
      join(folder, 'data', 'pgdata', 'postmaster.pid'),
      `${process.pid}\n${join(folder, 'data', 'pgdata')}\n`,
    );
    const server = await start();
    expect(await ask(server.url, 'select 1 as one')).toEqual({ one: 1 });
  });

  it('names a taken port', async () => {
    await Promise.all([copyCluster(join(folder, 'data')), copyCluster(join(folder, 'other'))]);
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(start({ dataDir: join(folder, 'other'), port })).rejects.toMatchObject({
      name: 'EngineError',
      message: expect.stringContaining('set POSTGRES_PORT'),
    });
  });

  (asRoot ? it : it.skip)('as root, serves from another place when its account cannot enter the folder', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await cp(dirname(binDir), join(closed, 'postgres'), { recursive: true, verbatimSymlinks: true });
    const options = {
      binDir: join(closed, 'postgres', 'bin'),
      dataDir: join(closed, 'data'),
      openRoot: join(folder, 'open'),
    };
    const first = await start(options);
    await ask(first.url, 'create table kept as select 1 as one');
    await first.stop();
    const moved = (await readFile(join(closed, 'data', 'moved-to'), 'utf8')).trim();
    expect(lines[0]).toContain(`its data is in ${moved}`);
    expect(dirname(moved)).toBe(join(folder, 'open'));
    const second = await start(options);
    expect(await ask(second.url, 'select one from kept')).toEqual({ one: 1 });
  });
});
