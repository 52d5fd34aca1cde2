/** One connection of DuckDB, and transactions on it. */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { toLakeError } from './faults.ts';

export interface LakeConnection {
  /** Rows as objects: BIGINT and HUGEINT as bigint, DECIMAL as number, UUID as text, TIMESTAMP as Date. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly DuckDBValue[]): Promise<Row[]>;
}

/** Of {@link Lake.withConnection}: its running statement can be ended. */
export interface LentConnection extends LakeConnection {
  /** The statement fails within milliseconds, unless it waits for PostgreSQL. */
  interrupt(): void;
}

export function lentConnectionOf(connection: DuckDBConnection): LentConnection {
  return { ...connectionOf(connection), interrupt: () => connection.interrupt() };
}

export function connectionOf(connection: DuckDBConnection): LakeConnection {
  return {
    async query<Row>(sql: string, params?: readonly DuckDBValue[]) {
      try {
        // A prepared statement is planned in a transaction of its own, which DuckLake's upkeep does not survive.
        const reader = await (params === undefined ? connection.runAndReadAll(sql) : connection.runAndReadAll(sql, [...params]));
        return reader.getRowObjectsJS() as Row[];
      } catch (error) {
        throw toLakeError(error);
      }
    },
  };
}

/** Runs `work` in one transaction of the lake: a throw undoes it. */
export async function inLakeTransaction<T>(connection: LakeConnection, work: () => Promise<T>): Promise<T> {
  await connection.query('begin');
  try {
    const result = await work();
    await connection.query('commit');
    return result;
  } catch (error) {
    // A commit that failed has ended the transaction already.
    await connection.query('rollback').catch(() => {});
    throw error;
  }
}

export interface CommitInfo {
  /** By PostgreSQL's clock, epoch seconds: a commit of what was begun too long ago is refused there. */
  begun: number;
  /** Shard and id of the staged batches that it takes away. */
  batches?: readonly (readonly number[])[];
}

/** What the trigger of migrations/0031_lake.sql reads when the transaction commits. */
export async function signCommit(connection: LakeConnection, info: CommitInfo): Promise<void> {
  await connection.query(`call lake.set_commit_message('attune', '${info.batches === undefined ? 'upkeep' : 'ingest'}', extra_info => '${JSON.stringify(info)}')`);
}
