/**
 * The amount of waiting work, as the database shows it. Both the process that does the work and the API publish it,
 * because a process that died cannot report how much it leaves behind.
 */
import { readLakeState, type LakeState } from '../lake/lakeGauges.ts';
import { MANY_REFUSALS, readOutboxState, type OutboxState } from '../jobs/outbox.ts';
import { readTrainings, type TrainingsState } from '../training/trainingGauges.ts';
import type { Queryable } from '../pool.ts';
import { readCountingLag } from '../popularity/waitingChanges.ts';
import { readServerState, type ServerState } from './serverState.ts';
import { countSetAside, readStagedState } from '../visits/waitingForLake.ts';
import { readIngestLag } from '../visits/ingestLag.ts';

export interface DatabaseState<T> {
  read(pool: Queryable): Promise<T>;
  gauges: readonly { name: string; help: string; valueOf(state: T): number }[];
}

export const OUTBOX_STATE: DatabaseState<OutboxState> = {
  read: readOutboxState,
  gauges: [
    {
      name: 'attune_outbox_lag_seconds',
      help: 'Time that the oldest outbox row has waited for Temporal',
      valueOf: ({ lagSeconds }) => lagSeconds,
    },
    {
      name: 'attune_outbox_refused_rows',
      help: `Outbox rows that Temporal has refused more than ${MANY_REFUSALS} times`,
      valueOf: ({ refused }) => refused,
    },
  ],
};

export const POPULARITY_STATE: DatabaseState<number> = {
  read: readCountingLag,
  gauges: [
    {
      name: 'attune_popularity_lag_seconds',
      help: 'Time that the oldest change of events has waited to be counted',
      valueOf: (seconds) => seconds,
    },
  ],
};

interface IngestState {
  lagSeconds: number;
  stagedRows: number;
  stagedAgeSeconds: number;
  setAside: number;
}

export const INGEST_STATE: DatabaseState<IngestState> = {
  read: readIngestState,
  gauges: [
    {
      name: 'attune_ingest_lag_seconds',
      help: 'Age of the oldest request of the tag that is not ingested yet',
      valueOf: ({ lagSeconds }) => lagSeconds,
    },
    {
      name: 'attune_lake_staged_rows',
      help: 'Rows on their way to the lake',
      valueOf: ({ stagedRows }) => stagedRows,
    },
    {
      name: 'attune_lake_staged_age_seconds',
      help: 'Age of the oldest rows on their way to the lake',
      valueOf: ({ stagedAgeSeconds }) => stagedAgeSeconds,
    },
    {
      name: 'attune_ingest_set_aside',
      help: 'Requests of the tag in collect_failed',
      valueOf: ({ setAside }) => setAside,
    },
  ],
};

async function readIngestState(pool: Queryable): Promise<IngestState> {
  const [lag, staged, setAside] = await Promise.all([readIngestLag(pool), readStagedState(pool), countSetAside(pool)]);
  return { lagSeconds: lag.seconds, stagedRows: staged.rows, stagedAgeSeconds: staged.ageSeconds, setAside };
}

export const LAKE_STATE: DatabaseState<LakeState> = {
  read: readLakeState,
  gauges: [
    {
      name: 'attune_lake_failed_rows',
      help: 'Rows that the lake could not take and that are in lake_failed',
      valueOf: ({ failedRows }) => failedRows,
    },
    { name: 'attune_lake_files', help: 'Parquet files of the lake', valueOf: ({ files }) => files },
    { name: 'attune_lake_bytes', help: 'Size of the Parquet files of the lake', valueOf: ({ bytes }) => bytes },
    {
      name: 'attune_lake_snapshot_age_seconds',
      help: 'Age of the oldest snapshot of the lake; upkeep removes snapshots after some minutes',
      valueOf: ({ oldestSnapshotSeconds }) => oldestSnapshotSeconds,
    },
    {
      name: 'attune_visitor_deletions_age_seconds',
      help: 'Time that the oldest deletion of a visitor or user has waited',
      valueOf: ({ oldestDeletionSeconds }) => oldestDeletionSeconds,
    },
  ],
};

export const TRAINING_STATE: DatabaseState<TrainingsState> = {
  read: readTrainings,
  gauges: [
    {
      name: 'attune_training_failed_projects',
      help: 'Projects whose last training failed',
      valueOf: ({ failedProjects }) => failedProjects,
    },
    {
      name: 'attune_training_age_seconds',
      help: 'Time for which the oldest unfinished training has been running',
      valueOf: ({ oldestSeconds }) => oldestSeconds,
    },
    {
      name: 'attune_training_night_age_seconds',
      help: 'Time since all projects were last checked for a full training',
      valueOf: ({ nightSeconds }) => nightSeconds,
    },
    {
      name: 'attune_training_forgotten_age_seconds',
      help: 'Age of the oldest deletion of a person that models in use do not reflect yet, or of the oldest link that published models do not reflect yet',
      valueOf: ({ forgottenSeconds }) => forgottenSeconds,
    },
  ],
};

export const SERVER_STATE: DatabaseState<ServerState> = {
  read: readServerState,
  gauges: [
    {
      name: 'attune_postgres_connections_ratio',
      help: "Share of PostgreSQL's connections that is in use",
      valueOf: ({ connections }) => connections,
    },
    {
      name: 'attune_postgres_transactions_ratio',
      help: "Share of PostgreSQL's transaction numbers that is used up: PostgreSQL refuses writes shortly before it reaches 1",
      valueOf: ({ transactions }) => transactions,
    },
    {
      name: 'attune_postgres_archive_failing_seconds',
      help: 'Time for which nothing was archived from the write-ahead log although files were waiting',
      valueOf: ({ archiveFailingSeconds }) => archiveFailingSeconds,
    },
    {
      name: 'attune_backup_age_seconds',
      help: 'Time since the last backup, or since the installation if there was none',
      valueOf: ({ backupAgeSeconds }) => backupAgeSeconds,
    },
  ],
};
