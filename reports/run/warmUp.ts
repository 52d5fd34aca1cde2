/** Work that the first report of a process would otherwise wait for. */
import { attachSites } from '../lake/database.ts';
import type { Lake } from '../lake/index.ts';
import { TABLE_NAMES } from '../lake/tables.ts';

/** Connects to PostgreSQL and loads the catalogue of the lake's tables; no row is read. */
export async function warm(lake: Lake): Promise<void> {
  await lake.withConnection(async (connection) => {
    await connection.query(attachSites(lake.settings));
    for (const table of TABLE_NAMES) await connection.query(`select 1 from lake.${table} limit 0`);
  });
}
