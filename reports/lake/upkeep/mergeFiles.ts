/** Merges small files into large ones, and removes files that no reader can see. */
import type pg from 'pg';
import { listCrowdedTables, listTornTables } from '../../../db/lake/crowdedTables.ts';
import { SNAPSHOT_MINUTES } from '../../../domain/reports/lakeSnapshots.ts';
import type { Lake } from '../openLake.ts';
import { LAYOUTS } from '../layouts.ts';
import { retryConflicts } from '../retryConflicts.ts';
import { doUpkeep } from './doUpkeep.ts';

const MB = 1024 * 1024;

/**
 * Tiers of file sizes. Files of one tier are merged once there are enough of them, so that a row is rewritten only
 * three or four times in its life, however fast rows arrive: files of seconds are merged into files of minutes, those
 * into hours, those into days.
 */
const TIERS = [
  { from: 0, to: 2 * MB, least: 8 },
  { from: 2 * MB, to: 24 * MB, least: 8 },
  { from: 24 * MB, to: 160 * MB, least: 6 },
] as const;

/** Above this share of deleted rows, skipping them costs more than rewriting the file. */
const TORN_SHARE = 0.2;

/** Age of files left by uncommitted transactions of dead processes; no transaction takes a day. */
const ORPHAN_HOURS = 24;

type Compacted = { files_processed: bigint; files_created: bigint }[];

export interface MergeResult {
  /** Number of files that were merged. */
  merged: number;
  made: number;
}

/** Merges the files of crowded tables tier by tier, and rewrites files with many deleted rows. */
export async function mergeFiles(lake: Lake, pool: pg.Pool): Promise<MergeResult> {
  const total: MergeResult = { merged: 0, made: 0 };
  const add = (rows: Compacted): void => {
    for (const row of rows) {
      total.merged += Number(row.files_processed);
      total.made += Number(row.files_created);
    }
  };
  for (const table of await listTornTables(pool, TORN_SHARE)) add(await rewrite(lake, pool, table, TORN_SHARE));
  for (const tier of TIERS) add(await mergeTier(lake, pool, tier));
  return total;
}

/** Merges one file of each table at a time; later work gets a separate turn. */
async function mergeTier(lake: Lake, pool: pg.Pool, tier: (typeof TIERS)[number]): Promise<Compacted> {
  const all: Compacted = [];
  for (const { table } of await listCrowdedTables(pool, tier, tier.least)) {
    for (let isCrowded = true; isCrowded;) {
      const call = `call ducklake_merge_adjacent_files('lake', '${table}', min_file_size => ${tier.from}, max_file_size => ${tier.to}, max_compacted_files => 1)`;
      const done = await compact(lake, pool, table, call);
      all.push(...done);
      isCrowded =
        done.length > 0 && (await listCrowdedTables(pool, tier, tier.least)).some((still) => still.table === table);
    }
  }
  return all;
}

/** Rewrites files in which at least this share of the rows is deleted; 0 rewrites every file with deleted rows. */
export async function rewrite(lake: Lake, pool: pg.Pool, table: string, share: number): Promise<Compacted> {
  return compact(
    lake,
    pool,
    table,
    `call ducklake_rewrite_data_files('lake', '${table}', delete_threshold => ${share})`,
  );
}

/** Commits never delete hits or layouts, so they need not wait while large files of these are merged. */
async function compact(lake: Lake, pool: pg.Pool, table: string, call: string): Promise<Compacted> {
  return doUpkeep(pool, () => lake.query(call), table === 'hits' || table === LAYOUTS ? 'beside' : 'in turn');
}

/**
 * Expires snapshots that nobody reads, and removes files that have been in no snapshot for as long. A merge removes its
 * source files from snapshots immediately, but a reader may have just begun to read them.
 */
export async function removeOldFiles(lake: Lake): Promise<{ files: number }> {
  const before = `now() - interval '${SNAPSHOT_MINUTES} minutes'`;
  await retryConflicts(() => lake.query(`call ducklake_expire_snapshots('lake', older_than => ${before})`));
  const removed = await retryConflicts(() =>
    lake.query(`call ducklake_cleanup_old_files('lake', older_than => ${before})`),
  );
  return { files: removed.length };
}

/** Removes files that no commit names. */
export async function removeOrphans(lake: Lake): Promise<{ files: number }> {
  const removed = await retryConflicts(() =>
    lake.query(`call ducklake_delete_orphaned_files('lake', older_than => now() - interval '${ORPHAN_HOURS} hours')`),
  );
  return { files: removed.length };
}
