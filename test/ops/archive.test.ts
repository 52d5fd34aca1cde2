/** Continuous archiving with the settings of docker-compose.yml: recovery to a moment before a mistake. */
import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { readServerState } from '../../db/installation/serverState.ts';
import { freePort } from '../../tools/scripts/engines/servers/freePort.ts';
import { resolveEngine } from '../../tools/scripts/engines/index.ts';
import { startPostgres, type PostgresServer } from '../../tools/scripts/engines/servers/postgres.ts';
import { copyCluster } from '../support/servers/cluster.ts';
import { testPostgresTools } from '../support/programs/engines.ts';
import { until } from '../support/whole/until.ts';
import { FILLED, readCompose, readText } from './support/compose.ts';

const run = promisify(execFile);
const WORDS = readCompose({ ...FILLED, POSTGRES_ARCHIVE_MODE: 'on' }).services['postgres']?.command ?? [];

let folder: string;
let archive: string;
let server: PostgresServer;
let client: pg.Client;

const settingOf = (name: string): string =>
  WORDS.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';

/** The settings of docker-compose.yml that a recovery depends on. */
const composeSettings = (): Record<string, string> => ({
  max_connections: settingOf('max_connections'),
  archive_mode: settingOf('archive_mode'),
  archive_command: settingOf('archive_command').replaceAll('/archive', archive),
});

/** Returns the lines that docs/operations.md adds to the server's own settings. */
function recoverySettings(moment: string): string {
  const [, lines = ''] = /postgresql\.auto\.conf <<'END'\n([^]+?)END\n/.exec(readText('docs/operations.md')) ?? [];
  return lines.replaceAll('/archive', archive).replace(/(?<=recovery_target_time = ')[^']+/, moment);
}

/** Runs the command of docs/operations.md that compresses files, for the newest ones too. */
async function compressFiles(): Promise<void> {
  const [command = 'false'] = /^find \/mnt\/archive .+$/m.exec(readText('docs/operations.md')) ?? [];
  await run('sh', ['-c', command.replace('/mnt/archive', archive).replace(' -mmin +10', '')]);
}

async function start(dataDir: string, settings: Record<string, string>): Promise<void> {
  const report = (): void => {};
  const binDir = await resolveEngine('postgres', { report, env: process.env });
  server = await startPostgres({ binDir, dataDir, port: await freePort(), report, settings });
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-archive-'));
  await chmod(folder, 0o711);
  archive = join(folder, 'archive');
  await mkdir(archive);
  await copyCluster(join(folder, 'postgres'));
  await giveToServer(archive);
  await start(join(folder, 'postgres'), composeSettings());
});

afterAll(async () => {
  await client?.end();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Gives the file to the server's account, which is a different one under root. */
async function giveToServer(path: string): Promise<void> {
  const { uid, gid } = await stat(join(folder, 'postgres', 'pgdata'));
  await chown(path, uid, gid);
}

const tables = async (): Promise<string[]> =>
  (await client.query(`select tablename from pg_tables where tablename like 'kept%' order by 1`)).rows.map(
    ({ tablename }: { tablename: string }) => tablename,
  );

describe('the archive of the write-ahead log', () => {
  it('can restore the moment before a mistake', async () => {
    const base = join(folder, 'again', 'pgdata');
    await client.query('create table kept_before (n int)');
    await run(join(await testPostgresTools(), 'pg_basebackup'), [
      '--pgdata',
      base,
      '--dbname',
      server.url,
      '--checkpoint',
      'fast',
      '--wal-method',
      'none',
    ]);
    await client.query('create table kept_since (n int)');
    const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
    await client.query('drop table kept_before; create table kept_never (n int)');
    const { rows: last } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
    await until(
      'the archive',
      () => readdir(archive),
      (names) => names.includes(last[0]?.file ?? ''),
    );
    await client.end();
    await server.stop();
    await compressFiles();
    // A compression that was killed leaves half of the new file, and the intact old one.
    const [halved = ''] = (await readdir(archive)).filter((name) => name.endsWith('.gz')).toSorted();
    const compressed = join(archive, halved);
    await run('gunzip', ['--keep', compressed]);
    await truncate(compressed, Math.floor((await stat(compressed)).size / 2));

    // The backup lacks the password file, which is beside the data folder, and the marker of the folder's creator.
    await run('cp', ['-a', join(folder, 'postgres', 'password'), join(folder, 'again', 'password')]);
    await writeFile(join(base, 'recovery.signal'), '');
    await appendFile(join(base, 'postgresql.auto.conf'), recoverySettings(rows[0]?.at ?? ''));
    const owner = await stat(join(folder, 'postgres', 'pgdata'));
    await run('chown', ['-R', `${owner.uid}:${owner.gid}`, join(folder, 'again')]);
    await start(join(folder, 'again'), composeSettings());
    await until(
      'the recovery',
      async () => (await client.query('select pg_is_in_recovery() as recovering')).rows,
      ([row]) => row?.recovering === false,
    );
    expect(await tables()).toEqual(['kept_before', 'kept_since']);
    // Without it, no later recovery from the same base backup would find what is written from now on.
    await until(
      'the history of the new timeline',
      () => readdir(archive),
      (names) => names.includes('00000002.history'),
    );
  });
});

describe('the command that archives', () => {
  const archiveFile = (path: string, name: string) => {
    const command = composeSettings()['archive_command'] ?? '';
    return run('sh', ['-c', command.replaceAll('%p', path).replaceAll('%f', name)]);
  };

  it.each(['as it is', 'compressed'])('accepts a file again, but no other one of its name: %s', async (form) => {
    const [first, other] = [join(folder, 'first'), join(folder, 'other')];
    const name = form === 'compressed' ? 'A'.repeat(24) : 'B'.repeat(24);
    await writeFile(first, 'first');
    await writeFile(other, 'other');
    await archiveFile(first, name);
    if (form === 'compressed') await compressFiles();
    expect(await readdir(archive)).toContain(form === 'compressed' ? `${name}.gz` : name);
    await archiveFile(first, name);
    await expect(archiveFile(other, name)).rejects.toThrow('Command failed');
  });

  it('leaves files that can be compressed after an earlier compression was killed', async () => {
    const name = 'C'.repeat(24);
    await writeFile(join(archive, name), 'whole');
    await writeFile(join(archive, `${name}.gz`), 'half');
    await compressFiles();
    expect((await run('gunzip', ['-c', join(archive, `${name}.gz`)])).stdout).toBe('whole');
  });
});

describe('an archive that is stuck', () => {
  it('is visible in the figures that the alert uses', async () => {
    expect((await readServerState(client)).archiveFailingSeconds).toBe(0);
    await client.query(`alter system set archive_command = 'false'`);
    await client.end();
    await server.stop();
    await start(join(folder, 'again'), { archive_mode: 'on' });
    await client.query('create table one_more (n int)');
    await client.query('select pg_switch_wal()');
    await until(
      'the failure',
      () => readServerState(client),
      (state) => state.archiveFailingSeconds > 0,
    );
  });
});
