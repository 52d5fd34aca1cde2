/**
 * Process that installs the lake's extensions into the given folder and loads each of them. The image is built with it.
 * They come from DuckDB's own host (`duckdb`, the default) or from the pinned Python packages (`pypi`).
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { EXTENSIONS, fillFromWheels } from '../programs/duckdbExtensions.ts';

const [folder, source = 'duckdb'] = process.argv.slice(2);
if (folder === undefined || !['duckdb', 'pypi'].includes(source))
  throw new Error('usage: node tools/scripts/engines/install/installExtensions.ts <folder> [duckdb|pypi]');

if (source === 'pypi') {
  const cacheDir = await mkdtemp(join(tmpdir(), 'attune-wheels-'));
  await fillFromWheels(resolve(folder), { env: process.env, report: console.log, cacheDir });
}
const instance = await DuckDBInstance.create(':memory:', { extension_directory: resolve(folder) });
const connection = await instance.connect();
for (const extension of EXTENSIONS) {
  if (source === 'duckdb') await connection.run(`install ${extension}`);
  await connection.run(`load ${extension}`);
}
connection.closeSync();
instance.closeSync();
