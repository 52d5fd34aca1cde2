/** Metrics of the lake. */
import type { Queryable } from '../pool.ts';

export interface LakeState {
  failedRows: number;
  files: number;
  bytes: number;
  /** The newest snapshot is never deleted, so it is not counted. */
  oldestSnapshotSeconds: number;
  oldestDeletionSeconds: number;
}

export async function readLakeState(db: Queryable): Promise<LakeState> {
  const { rows } = await db.query<LakeState>(
    `select (select count(*) from lake_failed)::float8 as "failedRows",
       (select count(*) from lake.ducklake_data_file where end_snapshot is null)::float8 as files,
       (select coalesce(sum(file_size_bytes), 0) from lake.ducklake_data_file where end_snapshot is null)::float8 as bytes,
       (select coalesce(extract(epoch from now() - min(snapshot_time)), 0) from lake.ducklake_snapshot
        where snapshot_id < (select max(snapshot_id) from lake.ducklake_snapshot))::float8 as "oldestSnapshotSeconds",
       (select coalesce(extract(epoch from now() - min(requested_at)), 0) from (
         select requested_at from visitor_deletions union all select requested_at from user_deletions) as asked)::float8 as "oldestDeletionSeconds"`,
  );
  return rows[0] as LakeState;
}
