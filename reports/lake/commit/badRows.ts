/** Finds the rows of a batch that the lake cannot hold. */
import type { RefusedRow } from '../../../db/lake/batches.ts';
import type { LakeTable } from '../../../domain/reports/lakeRows.ts';
import { isBadRow, LakeError } from '../lakeFaults.ts';
import type { LakeConnection } from '../connection.ts';
import type { Lake } from '../openLake.ts';
import { loadTable } from './stagedTables.ts';

type Row = Record<string, unknown>;

/** Finds bad rows by bisection: some twenty reads find one among a thousand. */
export async function findBadRows(lake: Lake, table: LakeTable, rows: readonly Row[]): Promise<RefusedRow[]> {
  return lake.withConnection((connection) => search(connection, lake.settings.tempDir, table, rows));
}

async function search(
  connection: LakeConnection,
  tempDir: string,
  table: LakeTable,
  rows: readonly Row[],
): Promise<RefusedRow[]> {
  const fault = await loadTable(connection, tempDir, table, [{ batchId: '0', rows: JSON.stringify(rows) }]).then(
    () => null,
    (error: unknown) => error,
  );
  if (fault === null) return [];
  if (!isBadRow(fault)) throw fault;
  const [row] = rows;
  if (row !== undefined && rows.length === 1) return [{ row, error: kindOf(fault) }];
  const middle = Math.ceil(rows.length / 2);
  return [
    ...(await search(connection, tempDir, table, rows.slice(0, middle))),
    ...(await search(connection, tempDir, table, rows.slice(middle))),
  ];
}

function kindOf(fault: unknown): string {
  return fault instanceof LakeError ? fault.message.slice(0, 500) : 'unknown';
}
