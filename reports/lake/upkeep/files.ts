/** Small files become large ones, and what no reader can see any more goes. */
import type pg from 'pg';
import { listCrowdedTables, listTornTables } from '../../../db/lakeFiles.ts';
import { SNAPSHOT_MINUTES } from '../../../domain/schedules.ts';
import type { Lake } from '../lake.ts';
import { LAYOUTS } from '../layouts.ts';
import { retryConflicts } from '../retryConflicts.ts';
import { doUpkeep } from './doUpkeep.ts';

const MB = 1024 * 1024;

/**
 * Files of like size are merged once there are enough of them, so that a row is written anew three or four
 * times in its life whatever the rate: seconds of hits into minutes, those into hours, those into days.
 */
const TIERS = [
  { from: 0, to: 2 * MB, least: 8 },
  { from: 2 * MB, to: 24 * MB, least: 8 },
  { from: 24 * MB, to: 160 * MB, least: 6 },
] as const;

/** From this share of deleted rows on, reading past them costs more than writing the file anew. */
const TORN_SHARE = 0.2;

/** Files of commits that never were, by a process that died: none takes a day. */
const ORPHAN_HOURS = 24;

type Compacted = { files_processed: bigint; files_created: bigint }[];

export interface MergeResult {
  /** Files that became others. */
  merged: number;
  made: number;
}

/** Merges crowded tables tier by tier and rewrites files with many deleted rows. */
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

/** One file of each table at a time: what follows has a turn of its own. */
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

/** Writes files anew of which at least this share of the rows is deleted; 0 means every file that has any. */
export async function rewrite(lake: Lake, pool: pg.Pool, table: string, share: number): Promise<Compacted> {
  return compact(
    lake,
    pool,
    table,
    `call ducklake_rewrite_data_files('lake', '${table}', delete_threshold => ${share})`,
  );
}

/** Commits delete no hits and no layouts of theirs, so their large files are nothing that commits have to wait for. */
async function compact(lake: Lake, pool: pg.Pool, table: string, call: string): Promise<Compacted> {
  return doUpkeep(pool, () => lake.query(call), table === 'hits' || table === LAYOUTS ? 'beside' : 'in turn');
}

/**
 * Forgets snapshots that nobody reads any more, and removes files that have been in none for as long: those
 * of a merge are in none at once, and somebody may have just begun to read them.
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
