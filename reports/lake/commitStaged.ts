/** Staged rows go into the lake. */
import type pg from 'pg';
import { readStaged, setRefusedAside, type StagedBatch, type StagedRows } from '../../db/lakeBatches.ts';
import { commitInTurn } from '../../db/lakeWriters.ts';
import type { LakeTable } from '../../domain/lakeRows.ts';
import { isBadRow, isTakenBySomebody } from './faults.ts';
import { inLakeTransaction, signCommit, type LakeConnection } from './connection.ts';
import type { Lake } from './lake.ts';
import { judgeRows } from './badRows.ts';
import { insertHits } from './layouts.ts';
import { replaceRows } from './replaceRows.ts';
import { retryConflicts } from './retryConflicts.ts';
import { loadStaged, stagedName } from './stagedTables.ts';
import { lakeColumns } from './tables.ts';

export interface Committed {
  batches: number;
  rows: number;
  /** Rows that the lake cannot hold, set aside in lake_failed. */
  refused: number;
}

/**
 * Puts the staged batches of these shards into the lake, each exactly once whoever else does the same: the
 * commit names them and PostgreSQL takes them away in the transaction that makes it (docs/decisions/lake.md).
 * @returns what this call put in; zeros when nothing was staged or somebody else was first
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
    if (isTakenBySomebody(error)) return { batches: 0, rows: 0, refused: 0 };
    if (!isBadRow(error)) throw error;
    const refused = await setAside(lake, pool, batches);
    // No single row is at fault: whoever called tries again, and somebody looks at the log.
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
    refused += await setRefusedAside(pool, batch, (table, rows) => judgeRows(lake, table, rows));
  return refused;
}
