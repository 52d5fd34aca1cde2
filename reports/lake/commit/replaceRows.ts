/** Replaces rows of the lake by staged rows with the same keys. */
import { LAKE_KEYS, type LakeTable } from '../../../domain/reports/lakeRows.ts';
import type { LakeConnection } from '../connection.ts';
import { stagedName } from './stagedTables.ts';

/** Hits never change, and lines change with their order. */
type KeyedTable = Exclude<LakeTable, 'hits' | 'order_lines'>;

/** Facts may have moved: if the server's time replaced another time, the staged row has that one too. */
const FACTS = { column: '"at"', from: 'least(min("at"), min(former_at))', to: 'greatest(max("at"), max(former_at))' };

/**
 * Bounds that find the older rows by the time columns of files and row groups. A visit's start may have moved, but only
 * to an earlier time, so an older row starts between the new start and the last hit.
 */
const TIME_BOUNDS: Record<KeyedTable, typeof FACTS> = {
  visits: { column: 'started_at', from: 'min(started_at)', to: 'max(ended_at)' },
  conversions: FACTS,
  orders: FACTS,
};

/** Lines can be staged without their order, and have no former time. */
const LINES = { column: '"at"', from: 'min("at")', to: 'max("at")' };

export async function replaceRows(connection: LakeConnection, tables: readonly LakeTable[]): Promise<void> {
  for (const table of Object.keys(TIME_BOUNDS) as KeyedTable[]) {
    if (tables.includes(table)) await deleteOlder(connection, table, table);
  }
  // Lines are deleted with their order, even if it no longer has any.
  if (tables.includes('orders')) await deleteOlder(connection, 'order_lines', 'orders');
  else if (tables.includes('order_lines')) await deleteOlder(connection, 'order_lines', 'order_lines');
}

async function deleteOlder(
  connection: LakeConnection,
  table: KeyedTable | 'order_lines',
  by: KeyedTable | 'order_lines',
): Promise<void> {
  const { column, from, to } = by === 'order_lines' ? LINES : TIME_BOUNDS[by];
  const staged = stagedName(by);
  // As constants, the bounds prune files while the statement is planned.
  const [bounds] = await connection.query<{ low: string | null; high: string | null }>(
    `select (${from})::VARCHAR as low, (${to})::VARCHAR as high from ${staged}`,
  );
  if (bounds === undefined || bounds.low === null || bounds.high === null) return;
  const keys = LAKE_KEYS[table].join(', ');
  await connection.query(
    `delete from lake.${table} where ${column} between TIMESTAMP '${bounds.low}' and TIMESTAMP '${bounds.high}' and (${keys}) in (select (${keys}) from ${staged})`,
  );
}
