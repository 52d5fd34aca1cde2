/** PostgreSQL, with the settings of docker-compose.yml, writes no personal data to its log. */
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../tools/scripts/engines/index.ts';
import { startPostgres, type PostgresServer } from '../../tools/scripts/engines/servers/postgres.ts';
import { copyCluster } from '../support/servers/cluster.ts';
import { FILLED, readCompose } from './support/compose.ts';

const MARK = 'qvxzpt-of-a-person';
const WORDS = readCompose(FILLED).services['postgres']?.command ?? [];
const SETTINGS = Object.fromEntries(
  WORDS.filter((word) => word.includes('=')).map((word) => [word.split('=', 1)[0] ?? '', word.replace(/^.*?=/, '')]),
);

let folder: string;
let server: PostgresServer;
let client: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-log-'));
  await chmod(folder, 0o711);
  await copyCluster(join(folder, 'postgres'));
  const report = (): void => {};
  server = await startPostgres({
    binDir: await resolveEngine('postgres', { report, env: process.env }),
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    report,
    settings: {
      ...SETTINGS,
      // The packaged server lacks LZ4.
      wal_compression: 'on',
      shared_buffers: '64MB',
      max_connections: '20',
      logging_collector: 'on',
      log_lock_waits: 'on',
      deadlock_timeout: '50ms',
    },
  });
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('create extension pg_stat_statements; create table people (id text primary key, age int)');
  await client.query('insert into people values ($1)', [MARK]);
});

afterAll(async () => {
  await client?.end();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function logged(): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const logs = names.filter((name) => /[\\/]log[\\/][^\\/]+\.log$/.test(name));
  return (await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')))).join('');
}

describe('the log of PostgreSQL', () => {
  it('contains no value of a statement that is slow, fails, or is written without parameters', async () => {
    await client.query('select pg_sleep(2.2), $1::text', [MARK]);
    await client.query(`select '${MARK}'`);
    const failures = [
      () => client.query('insert into people values ($1)', [MARK]),
      () => client.query('select $1::text::int', [MARK]),
      () => client.query(`insert into people values ('${MARK}')`),
      () => client.query(`copy (select '${MARK}'::int) to stdout`),
    ];
    for (const fail of failures) await expect(fail()).rejects.toThrow(/./);
    await client.query('checkpoint');
    const text = await logged();
    expect(text).toContain('checkpoint');
    expect(text).not.toContain(MARK);
  });

  it('contains no value of a statement that waits for a lock', async () => {
    const other = new pg.Client({ connectionString: server.url });
    await other.connect();
    await client.query('begin');
    await client.query('update people set age = 1 where id = $1', [MARK]);
    const waiting = other.query(`update people set age = 2 where id = '${MARK}'`);
    let text = '';
    while (!text.includes('still waiting')) text = await logged();
    await client.query('commit');
    await waiting;
    await other.end();
    expect(await logged()).not.toContain(MARK);
  });

  it('is not needed to find slow statements, which pg_stat_statements lists without their values', async () => {
    const { rows } = await client.query('select query from pg_stat_statements');
    const queries = rows.map(({ query }: { query: string }) => query).join('\n');
    expect(queries).toContain('select pg_sleep($2), $1::text');
    expect(queries).not.toContain(MARK);
  });
});
