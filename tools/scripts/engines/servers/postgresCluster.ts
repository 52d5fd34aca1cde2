/** Creates the data folder of a PostgreSQL server once, with a password that only its owner can read. */
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../fetch/engineError.ts';
import { makeOwned, type PostgresLayout } from './postgresAccount.ts';
import { PROGRAM_LIMIT_MS, run } from '../fetch/process.ts';

const INITDB_TIMEOUT_MS = 600_000;
/**
 * The first release with the locale provider `builtin`, whose sort order does not change with the system's libraries.
 */
const BUILTIN_LOCALE_SINCE = 17;

export interface Cluster {
  pgdata: string;
  password: string;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function majorVersion(binDir: string): Promise<number> {
  const { stdout, stderr } = await run({ command: join(binDir, 'postgres'), args: ['--version'] }, PROGRAM_LIMIT_MS);
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  if (!Number.isInteger(major))
    throw new EngineError(`postgres: ${join(binDir, 'postgres')} does not run (${stderr.trim()}): set POSTGRES_BIN`);
  return major;
}

/**
 * Takes character classes from the C library's C.UTF-8 even with the builtin provider, because the text search parser
 * uses the library: with plain `C` it would not recognise Cyrillic letters.
 */
function localeArguments(major: number): string[] {
  const args = ['--encoding=UTF8', '--locale=C.UTF-8'];
  if (major >= BUILTIN_LOCALE_SINCE) args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  return args;
}

async function initdb(place: PostgresLayout, target: string, password: string, major: number): Promise<void> {
  const secrets = await mkdtemp('/tmp/attune-init-');
  const passwordFile = join(secrets, 'password');
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (place.account) {
      await chown(secrets, place.account.uid, place.account.gid);
      await chown(passwordFile, place.account.uid, place.account.gid);
    }
    const args = [
      '-D',
      target,
      '-U',
      'attune',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--no-instructions',
      '--no-sync',
    ];
    const options = { command: join(place.binDir, 'initdb'), args: [...args, ...localeArguments(major)], cwd: '/' };
    const result = await run({ ...options, ...(place.account && { account: place.account }) }, INITDB_TIMEOUT_MS);
    if (result.code !== 0)
      throw new EngineError(
        `postgres: initdb failed: ${(result.stderr || result.stdout).trim().split('\n').slice(-3).join(' ')}`,
      );
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}

async function checkVersion(pgdata: string, major: number): Promise<void> {
  const made = Number((await readFile(join(pgdata, 'PG_VERSION'), 'utf8')).trim());
  if (made === major) return;
  throw new EngineError(
    `postgres: ${pgdata} was created by version ${made}, but the program has version ${major}: set POSTGRES_BIN to version ${made} or move the folder away`,
  );
}

/**
 * Returns the data folder, creating it on first use. It is created under another name and renamed, so an interruption
 * leaves no partial folder.
 * @throws {EngineError} when initdb fails or the folder belongs to another major version.
 */
export async function prepareCluster(place: PostgresLayout, report: (line: string) => void): Promise<Cluster> {
  const pgdata = join(place.home, 'pgdata');
  const passwordFile = join(place.home, 'password');
  const major = await majorVersion(place.binDir);
  if (await exists(join(pgdata, 'PG_VERSION'))) {
    await checkVersion(pgdata, major);
    return { pgdata, password: (await readFile(passwordFile, 'utf8')).trim() };
  }
  report(`postgres: creating the data folder ${pgdata}`);
  const password = randomBytes(24).toString('base64url');
  const staging = `${pgdata}.new`;
  await rm(staging, { recursive: true, force: true });
  await makeOwned(staging, place.account);
  await initdb(place, staging, password, major);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await rename(staging, pgdata);
  return { pgdata, password };
}
