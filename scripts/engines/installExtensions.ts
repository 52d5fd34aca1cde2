/** Process: DuckDB installs the lake's extensions into the folder that is given. The image is built with it. */
import { resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/engines/installExtensions.ts <folder>');
const instance = await DuckDBInstance.create(':memory:', { extension_directory: resolve(folder) });
const connection = await instance.connect();
for (const extension of ['ducklake', 'postgres_scanner', 'httpfs']) {
  await connection.run(`install ${extension}`);
  await connection.run(`load ${extension}`);
}
connection.closeSync();
instance.closeSync();
