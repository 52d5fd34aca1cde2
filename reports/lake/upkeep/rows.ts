/** Rows leave the lake: those past their time, and those of visitors who are to be forgotten. */
import type pg from 'pg';
import { readNow } from '../../../db/clock.ts';
import { inTurn } from '../../../db/lakeWriters.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites.ts';
import type { VisitorRef } from '../../../db/visitorDeletions.ts';
import { literal } from '../database.ts';
import { inLakeTransaction, signCommit } from '../connection.ts';
import type { Lake } from '../lake.ts';
import { retryConflicts } from '../retryConflicts.ts';
import { TABLE_NAMES, TIME_COLUMN } from '../tables.ts';
import { rewrite } from './files.ts';

type Deleted = { Count: bigint }[];

/**
 * Deletes what is older than the site keeps.
 * @param unusual sites by the months that they keep, where that is not the usual number
 * @param now epoch milliseconds
 */
export async function deletePastRetention(lake: Lake, pool: pg.Pool, unusual: ReadonlyMap<number, readonly string[]>, now: number): Promise<{ rows: number }> {
  const listed = [...unusual.values()].flat();
  const kept = [...unusual].map(([months, sites]) => ({ months, condition: `site_id in (${sites.map(literal).join(', ')})` }));
  kept.push({ months: DEFAULT_QUOTAS.retention_months, condition: listed.length === 0 ? 'true' : `site_id not in (${listed.map(literal).join(', ')})` });
  let rows = 0;
  for (const { months, condition } of kept) {
    for (const table of TABLE_NAMES) {
      const before = `make_timestamp_ms(${now}) - interval '${months} months'`;
      const [deleted] = await inTurn(pool, () => retryConflicts(() => lake.query<Deleted[number]>(`delete from lake.${table} where ${TIME_COLUMN[table]} < ${before} and ${condition}`)));
      rows += Number(deleted?.Count ?? 0);
    }
  }
  return { rows };
}

/** Deletes visitors from every table at once, and writes the files anew that held them. */
export async function deleteVisitorRows(lake: Lake, pool: pg.Pool, visitors: readonly VisitorRef[]): Promise<{ rows: number }> {
  if (visitors.length === 0) return { rows: 0 };
  const sites = [...new Set(visitors.map(({ siteId }) => literal(siteId)))].join(', ');
  const pairs = visitors.map(({ siteId, visitorId }) => `(${literal(siteId)}, ${literal(visitorId)}::UUID)`).join(', ');
  const rows = await inTurn(pool, () => retryConflicts(() => lake.withConnection((connection) => inLakeTransaction(connection, async () => {
    const begun = (await readNow(pool)).getTime() / 1_000;
    let count = 0;
    for (const table of TABLE_NAMES) {
      const [deleted] = await connection.query<Deleted[number]>(`delete from lake.${table} where site_id in (${sites}) and (site_id, visitor_id) in (values ${pairs})`);
      count += Number(deleted?.Count ?? 0);
    }
    await signCommit(connection, { begun });
    return count;
  }))));
  for (const table of TABLE_NAMES) await rewrite(lake, pool, table, 0);
  return { rows };
}
