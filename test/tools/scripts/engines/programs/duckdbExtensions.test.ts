import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DuckDBInstance, version } from '@duckdb/node-api';
import {
  DUCKDB_VERSION,
  EXTENSIONS,
  resolveDuckdbExtensions,
} from '../../../../../tools/scripts/engines/programs/duckdbExtensions.ts';
import { EngineError } from '../../../../../tools/scripts/engines/index.ts';
import { testDuckdbExtensions } from '../../../../support/programs/engines.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-extensions-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const context = (env: Record<string, string>) => ({ env, report: () => {}, cacheDir: folder });

describe('resolveDuckdbExtensions', () => {
  it('is pinned to the version of the DuckDB that loads the extensions', async () => {
    expect(version()).toBe(`v${DUCKDB_VERSION}`);
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies['@duckdb/node-api']).toContain(DUCKDB_VERSION);
  });

  it('returns a folder from which DuckDB loads each of them', async () => {
    const instance = await DuckDBInstance.create(':memory:', {
      extension_directory: await testDuckdbExtensions(),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    for (const extension of EXTENSIONS) await connection.run(`load ${extension}`);
    const loaded = (
      await connection.runAndReadAll('select extension_name as name from duckdb_extensions() where loaded')
    )
      .getRowObjectsJS()
      .map(({ name }) => name);
    expect(loaded).toEqual(expect.arrayContaining([...EXTENSIONS]));
    connection.closeSync();
    instance.closeSync();
  });

  it('uses the folder of the setting if all of them are in it, and names a missing one', async () => {
    await expect(resolveDuckdbExtensions(context({ DUCKDB_EXTENSIONS_DIR: folder }))).rejects.toThrow(EngineError);
    await expect(resolveDuckdbExtensions(context({ DUCKDB_EXTENSIONS_DIR: folder }))).rejects.toThrow(
      'ducklake.duckdb_extension',
    );
    await expect(resolveDuckdbExtensions(context({ DUCKDB_EXTENSIONS_DIR: 'relative' }))).rejects.toThrow(
      'absolute path',
    );
    const dir = join(folder, `v${DUCKDB_VERSION}`, platform());
    await mkdir(dir, { recursive: true });
    for (const extension of EXTENSIONS) await writeFile(join(dir, `${extension}.duckdb_extension`), '');
    expect(await resolveDuckdbExtensions(context({ DUCKDB_EXTENSIONS_DIR: folder }))).toBe(folder);
  });
});

/** Returns DuckDB's own name of the platform, independently of the finder. */
function platform(): string {
  return `${process.platform === 'darwin' ? 'osx' : process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
