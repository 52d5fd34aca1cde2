/** What upkeep tells Prometheus of the lake. */
import { Gauge, type Registry } from 'prom-client';
import { readLakeState, type LakeState } from '../../db/lakeState.ts';
import type { Queryable } from '../../db/pool.ts';
import { sharedRead } from '../../process/sharedRead.ts';

export function watchLake(registry: Registry, pool: Queryable): void {
  const read = sharedRead(() => readLakeState(pool));
  const gauge = (name: string, help: string, valueOf: (state: LakeState) => number): void => {
    const made: Gauge = new Gauge({
      name,
      help: `${help}; no series when the database does not answer`,
      registers: [registry],
      async collect() {
        const state = await read().catch(() => null);
        if (state === null) made.remove();
        else made.set(valueOf(state));
      },
    });
  };
  gauge(
    'attune_lake_failed_rows',
    'Rows that the lake could not hold and that lie in lake_failed',
    (state) => state.failedRows,
  );
  gauge('attune_lake_files', 'Parquet files of the lake', (state) => state.files);
  gauge('attune_lake_bytes', 'Size of the Parquet files of the lake', (state) => state.bytes);
  gauge(
    'attune_lake_snapshot_age_seconds',
    'Age of the oldest snapshot of the lake: upkeep forgets them after some minutes',
    (state) => state.oldestSnapshotSeconds,
  );
  gauge(
    'attune_visitor_deletions_age_seconds',
    'Time that the oldest deletion of a visitor or user has waited',
    (state) => state.oldestDeletionSeconds,
  );
}
