/** Commits staged rows to the lake. */
import type pg from 'pg';
import { readStaged, setRefusedAside, type StagedBatch, type StagedRows } from '../../../db/lake/batches.ts';
import { commitInTurn } from '../../../db/lake/writerTurns.ts';
import type { LakeTable } from '../../../domain/reports/lakeRows.ts';
import { isBadRow, isCommittedElsewhere } from '../lakeFaults.ts';
import { inLakeTransaction, signCommit, type LakeConnection } from '../connection.ts';
import type { Lake } from '../openLake.ts';
import { findBadRows } from './badRows.ts';
import { insertHits } from '../layouts.ts';
import { replaceRows } from './replaceRows.ts';
import { retryConflicts } from '../retryConflicts.ts';
import { loadStaged, stagedName } from './stagedTables.ts';
import { lakeColumns } from '../tables.ts';

export interface Committed {
  batches: number;
  rows: number;
  /** Number of rows that the lake cannot hold, which were moved to lake_failed. */
  refused: number;
}

/**
 * Puts the staged batches of these shards into the lake exactly once, even if others do the same: the commit names
 * them, and PostgreSQL deletes them in the same transaction (docs/decisions/lake.md).
 * @returns the rows that this call committed; zeros if nothing was staged or another writer was first
 */
export async function commitStaged(lake: Lake, pool: pg.Pool, shards: readonly number[]): Promise<Committed> {
  const total: Committed = { batches: 0, rows: 0, refused: 0 };
  for (;;) {
    const staged = await readStaged(pool, shards);
    if (staged.length === 0) return total;
    const done = await commitSome(lake, pool, staged);
    total.batches += done.batches;
    total.rows += done.rows;
    total.refused += done.refused;
  }
}

async function commitSome(lake: Lake, pool: pg.Pool, staged: readonly StagedRows[]): Promise<Committed> {
  const batches = batchesOf(staged);
  try {
    return await lake.withConnection(async (connection) => {
      const tables = await loadStaged(connection, lake.settings.tempDir, staged);
      await commitInTurn(pool, () => retryConflicts(() => putIn(connection, tables, staged)));
      return { batches: batches.length, rows: staged.reduce((sum, { count }) => sum + count, 0), refused: 0 };
    });
  } catch (error) {
    if (isCommittedElsewhere(error)) return { batches: 0, rows: 0, refused: 0 };
    if (!isBadRow(error)) throw error;
    const refused = await setAside(lake, pool, batches);
    // No single row is at fault. The caller retries, and an operator sees the log.
    if (refused === 0) throw error;
    return { batches: 0, rows: 0, refused };
  }
}

function batchesOf(staged: readonly StagedRows[]): StagedBatch[] {
  return [...new Map(staged.map(({ shard, batchId }) => [`${shard} ${batchId}`, { shard, batchId }])).values()];
}

async function putIn(
  connection: LakeConnection,
  tables: readonly LakeTable[],
  staged: readonly StagedRows[],
): Promise<void> {
  await inLakeTransaction(connection, async () => {
    await replaceRows(connection, tables);
    for (const statement of tables.flatMap(insertsInto)) await connection.query(statement);
    const batches = batchesOf(staged).map(({ shard, batchId }) => [shard, Number(batchId)]);
    await signCommit(connection, { begun: staged[0]?.readAt ?? 0, batches });
  });
}

function insertsInto(table: LakeTable): string[] {
  const staged = stagedName(table);
  if (table === 'hits') return insertHits(staged);
  return [`insert into lake.${table} by name select ${lakeColumns(table)} from ${staged}`];
}

async function setAside(lake: Lake, pool: pg.Pool, batches: readonly StagedBatch[]): Promise<number> {
  let refused = 0;
  for (const batch of batches)
    refused += await setRefusedAside(pool, batch, (table, rows) => findBadRows(lake, table, rows));
  return refused;
}
