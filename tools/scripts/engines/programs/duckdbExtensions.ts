/**
 * DuckDB's extensions for the lake: DuckLake, its catalogue in PostgreSQL, files in S3. Their version is exactly that
 * of @duckdb/node-api.
 */
import { access, cp, link, mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { ensureEntry } from '../fetch/cache.ts';
import { EngineError } from '../fetch/engineError.ts';
import { run } from '../fetch/process.ts';
import { firstFound, type EngineContext, type Found, type Source } from '../fetch/sources.ts';
import { fetchWheel, type Wheel } from '../fetch/wheel.ts';

export const DUCKDB_VERSION = '1.5.5';

const SETTING = 'DUCKDB_EXTENSIONS_DIR';
const INSTALL_TIMEOUT_MS = 120_000;
/** DuckDB's platform names, by `${process.platform}-${process.arch}`. */
const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux_amd64',
  'linux-arm64': 'linux_arm64',
  'darwin-arm64': 'osx_arm64',
  'darwin-x64': 'osx_amd64',
};

/** SHA-256 and size of each extension's wheel. */
const PINNED: Readonly<Record<string, Readonly<Record<string, readonly [string, number]>>>> = {
  ducklake: {
    'linux-x64': ['b631ae4dd4bd649b3db35a789dbcc859476fe231ef449b3f03f4fe4e2ef4a946', 13],
    'linux-arm64': ['cd8280d3a20c744f7e113137a17a053f751b9cc469a9b694c43e1b8539fd30af', 11],
    'darwin-arm64': ['d6a65e39a38bd03270ed54715f5c16f6695954742b74c0c77ed1cfc0eda33f67', 8],
  },
  postgres_scanner: {
    'linux-x64': ['fea9413d1b5bded7ead650aff91b3d7578c5149d832f666100b362f64404bf18', 15],
    'linux-arm64': ['5b50d53ecb192fca381c79ebd70da43b98fefe28a5781162081777f65efc8268', 14],
    'darwin-arm64': ['053b9ee8abf30f1880a244c9396323273ec99cf4d72a658e702cf536848b7e5c', 10],
  },
  httpfs: {
    'linux-x64': ['84913dbe172ccb54368de2c4a020c38ca8b0e76f99df548f7fac37934cc7826f', 7],
    'linux-arm64': ['567d17e398fc29f7ea4bc42ea277ea19643bd1ad1815f676cb6dd994b50399bb', 7],
    'darwin-arm64': ['a6d9b245ac83834543354e826020b35b8dba16291bb876b2b00bd49f2c6aeb9d', 6],
  },
};

export const EXTENSIONS = Object.keys(PINNED);

const fileOf = (extension: string): string =>
  join(
    `v${DUCKDB_VERSION}`,
    PLATFORMS[`${process.platform}-${process.arch}`] ?? 'unknown',
    `${extension}.duckdb_extension`,
  );

const FILES = EXTENSIONS.map(fileOf);

async function missingFrom(dir: string): Promise<string | null> {
  for (const file of FILES) {
    const there = await access(join(dir, file)).then(
      () => true,
      () => false,
    );
    if (!there) return file;
  }
  return null;
}

const fromSetting: Source = {
  name: SETTING,
  async find({ env }) {
    const dir = env[SETTING]?.trim();
    if (!dir) return { reason: 'not set' };
    const missing = isAbsolute(dir) ? await missingFrom(dir) : 'absolute path';
    if (missing === null) return { path: dir };
    throw new EngineError(
      `${SETTING}=${dir}: no ${missing} in it; name the folder into which DuckDB ${DUCKDB_VERSION} installed ${EXTENSIONS.join(', ')}, or remove the setting`,
    );
  },
};

function wheelOf(extension: string): Wheel {
  const program = `duckdb_extension_${extension}/extensions/v${DUCKDB_VERSION}/${extension}.duckdb_extension`;
  const files = Object.entries(PINNED[extension] ?? {}).map(([platform, [sha256, megabytes]]) => [
    platform,
    { sha256, megabytes, program },
  ]);
  return {
    name: `duckdb-extension-${extension.replaceAll('_', '-')}`,
    version: DUCKDB_VERSION,
    files: Object.fromEntries(files),
  };
}

/**
 * Fills the folder from the pinned Python packages, one after another, because each reports its progress. Needs pip.
 */
export async function fillFromWheels(folder: string, context: EngineContext): Promise<void> {
  for (const extension of EXTENSIONS) {
    const found = await fetchWheel(wheelOf(extension), context);
    if ('reason' in found) throw new Error(`${extension}: ${found.reason}`);
    const target = join(folder, fileOf(extension));
    await mkdir(join(target, '..'), { recursive: true });
    await link(found.path, target).catch(() => cp(found.path, target));
  }
}

/** Installs in a separate process, so that a hanging download ends with it. */
async function fillByInstall(folder: string, { env }: EngineContext): Promise<void> {
  const args = [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, '../install/installExtensions.ts'),
    folder,
  ];
  const result = await run({ command: process.execPath, args, env }, INSTALL_TIMEOUT_MS);
  if (result.timedOut) throw new Error(`no download within ${INSTALL_TIMEOUT_MS / 1000} s`);
  if (result.code !== 0) throw new Error(result.stderr.trim().split('\n')[0] || 'INSTALL failed');
}

/**
 * Creates a source that fills the cache. DuckDB itself checks the signature of each extension that it loads, whatever
 * its source.
 */
function cached(name: string, fill: (folder: string, context: EngineContext) => Promise<void>): Source {
  return {
    name,
    async find(context): Promise<Found> {
      const entry = {
        name: `duckdb-extensions-${DUCKDB_VERSION}-${process.platform}-${process.arch}`,
        sha256: DUCKDB_VERSION,
        files: FILES,
        fill: (folder: string) => fill(folder, context),
      };
      try {
        return { path: await ensureEntry(context.cacheDir, entry) };
      } catch (error) {
        return { reason: (error as Error).message };
      }
    },
  };
}

const FIX = `set ${SETTING} to a folder into which DuckDB ${DUCKDB_VERSION} installed ${EXTENSIONS.join(', ')}`;

/**
 * Returns the folder for DuckDB's `extension_directory`. The first call downloads 35 MB.
 * @throws {EngineError} with one line that names the fix
 */
export function resolveDuckdbExtensions(context: EngineContext): Promise<string> {
  return firstFound(
    'extensions of DuckDB',
    [fromSetting, cached('Python packages', fillFromWheels), cached("DuckDB's own download", fillByInstall)],
    FIX,
    context,
  );
}
