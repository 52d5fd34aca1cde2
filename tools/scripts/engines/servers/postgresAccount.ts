/**
 * Decides where a PostgreSQL server runs and as which account. PostgreSQL refuses to run as root, and the account that
 * it uses instead must be able to enter every folder above its programs and its data. Under a private home folder
 * (0700) it cannot, so servers of root then keep both under /var/lib/attune and leave a pointer in the requested data
 * folder.
 */
import { randomBytes } from 'node:crypto';
import { chown, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../fetch/engineError.ts';
import { PROGRAM_LIMIT_MS, run } from '../fetch/process.ts';

/** Every account may enter it, and it survives a reboot. */
export const OPEN_ROOT = '/var/lib/attune';
const POINTER = 'moved-to';
/** Tried in this order; `nobody` exists on every Linux and macOS system. */
const ACCOUNTS = ['postgres', 'nobody'];

export interface Account {
  uid: number;
  gid: number;
}

export interface PostgresLayout {
  binDir: string;
  /** Folder that holds `pgdata` and the password; only the launcher can read it, except for `pgdata`. */
  home: string;
  /** The account to run as; undefined when the launcher is an ordinary user. */
  account: Account | undefined;
}

async function findAccount(): Promise<Account> {
  for (const name of ACCOUNTS) {
    const [uid, gid] = await Promise.all([
      run({ command: 'id', args: ['-u', name] }, PROGRAM_LIMIT_MS),
      run({ command: 'id', args: ['-g', name] }, PROGRAM_LIMIT_MS),
    ]);
    if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new EngineError(
    `postgres: root cannot run it, and there is no account ${ACCOUNTS.join(' or ')} to run it as: start as an ordinary user`,
  );
}

/** Tests the access as that account, so that access control lists and mounts count too. */
async function canEnter(path: string, account: Account): Promise<boolean> {
  const { code } = await run(
    { command: '/bin/sh', args: ['-c', 'test -x "$1"', 'sh', path], cwd: '/', account },
    PROGRAM_LIMIT_MS,
  );
  return code === 0;
}

/**
 * Copies the programs to a place where the account can run them: once per version, renamed into place when complete.
 */
async function openPrograms(binDir: string, account: Account, openRoot: string): Promise<string> {
  if (await canEnter(join(binDir, 'postgres'), account)) return binDir;
  const version = await run({ command: join(binDir, 'postgres'), args: ['--version'] }, PROGRAM_LIMIT_MS);
  const name = version.stdout.trim().replaceAll(/[^\w.-]+/g, '-') || 'postgres';
  const target = join(openRoot, 'programs', name);
  if (await canEnter(join(target, 'bin', 'postgres'), account)) return join(target, 'bin');
  const staging = `${target}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await cp(dirname(binDir), staging, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(staging, target);
  } catch {
    await rm(staging, { recursive: true, force: true }); // another start was first, so its copy is used
  }
  return join(target, 'bin');
}

async function readPointer(home: string): Promise<string | null> {
  try {
    return (await readFile(join(home, POINTER), 'utf8')).trim();
  } catch {
    return null;
  }
}

async function openHome({ home, openRoot, report }: LayoutOptions, account: Account): Promise<string> {
  const earlier = await readPointer(home);
  if (earlier !== null) return earlier;
  if (await canEnter(home, account)) return home;
  const moved = join(openRoot, `${basename(dirname(home))}-${randomBytes(6).toString('hex')}`);
  await mkdir(moved, { recursive: true, mode: 0o755 });
  await writeFile(join(home, POINTER), `${moved}\n`);
  report(`postgres: the account it runs as cannot enter ${home}; its data is in ${moved}`);
  return moved;
}

export interface LayoutOptions {
  binDir: string;
  home: string;
  /** Place for the servers of root when their account cannot enter the folders above. */
  openRoot: string;
  report: (line: string) => void;
}

/**
 * Determines programs, data folder and account for a server whose data should be in `home`.
 * @throws {EngineError} when root finds no account to run it as.
 */
export async function chooseLayout(options: LayoutOptions): Promise<PostgresLayout> {
  const { binDir, home, openRoot } = options;
  await mkdir(home, { recursive: true });
  if (process.getuid?.() !== 0) return { binDir, home, account: undefined };
  const account = await findAccount();
  return { binDir: await openPrograms(binDir, account, openRoot), home: await openHome(options, account), account };
}

/** Creates a folder that only the server's account may use. */
export async function makeOwned(path: string, account: Account | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (account) await chown(path, account.uid, account.gid);
}
