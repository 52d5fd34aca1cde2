/** Statistics about the lake's files, read from DuckLake's catalogue in PostgreSQL. */
import type { Queryable } from '../pool.ts';

export interface FileTier {
  /** Minimum size in bytes, inclusive. */
  from: number;
  /** Maximum size in bytes, exclusive. */
  to: number;
}

export interface CrowdedTable {
  table: string;
  /** Number of files in its fullest partition. */
  files: number;
}

/**
 * Returns the tables that have a partition with at least `minFiles` files of the tier, none of which has deleted rows.
 */
export async function listCrowdedTables(
  db: Queryable,
  { from, to }: FileTier,
  minFiles: number,
): Promise<CrowdedTable[]> {
  const { rows } = await db.query<CrowdedTable>(
    `select table_name as table, max(files)::int as files from (
       select t.table_name, count(*) as files
       from lake.ducklake_data_file f join lake.ducklake_table t using (table_id)
       where f.end_snapshot is null and t.end_snapshot is null and f.file_size_bytes >= $1 and f.file_size_bytes < $2
         and not exists (select from lake.ducklake_delete_file d where d.data_file_id = f.data_file_id and d.end_snapshot is null)
       group by t.table_name, regexp_replace(f.path, '[^/]*$', '')
     ) partitions where files >= $3 group by 1 order by 1`,
    [from, to, minFiles],
  );
  return rows;
}

/** Returns the tables in which at least this share of the rows of some file is deleted. */
export async function listTornTables(db: Queryable, share: number): Promise<string[]> {
  const { rows } = await db.query<{ table: string }>(
    `select distinct t.table_name as table
     from lake.ducklake_delete_file d
     join lake.ducklake_data_file f using (data_file_id)
     join lake.ducklake_table t on t.table_id = f.table_id
     where d.end_snapshot is null and f.end_snapshot is null and t.end_snapshot is null and d.delete_count >= $1::float8 * f.record_count
     order by 1`,
    [share],
  );
  return rows.map(({ table }) => table);
}
