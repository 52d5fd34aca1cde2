/** A DuckDB connection and its transactions. */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { RowsTooLongError, toLakeError } from './lakeFaults.ts';

export interface QueryLimits {
  /** Maximum number of characters of all texts in all rows, including texts in lists. */
  maxCharacters: number;
}

export interface LakeConnection {
  /**
   * Runs a query. Rows are objects: BIGINT and HUGEINT as bigint, DECIMAL as number, UUID as text, TIMESTAMP as Date.
   * @throws {LakeError}
   * @throws {RowsTooLongError} as soon as the limits are exceeded; the rest is not read
   */
  query<Row = Record<string, unknown>>(
    sql: string,
    params?: readonly DuckDBValue[],
    limits?: QueryLimits,
  ): Promise<Row[]>;
}

/** A connection from {@link Lake.withConnection}, whose running statement can be interrupted. */
export interface InterruptibleConnection extends LakeConnection {
  /** Makes the running statement fail within milliseconds, unless it waits for PostgreSQL. */
  interrupt(): void;
}

export function lentConnectionOf(connection: DuckDBConnection): InterruptibleConnection {
  return { ...connectionOf(connection), interrupt: () => connection.interrupt() };
}

export function connectionOf(connection: DuckDBConnection): LakeConnection {
  return {
    async query<Row>(sql: string, params?: readonly DuckDBValue[], limits?: QueryLimits) {
      try {
        if (limits !== undefined) return (await readWithin(connection, sql, params, limits)) as Row[];
        // A prepared statement is planned in a separate transaction, which DuckLake's maintenance calls do not survive.
        const reader = await (params === undefined
          ? connection.runAndReadAll(sql)
          : connection.runAndReadAll(sql, [...params]));
        return reader.getRowObjectsJS() as Row[];
      } catch (error) {
        throw error instanceof RowsTooLongError ? error : toLakeError(error);
      }
    },
  };
}

/** Reads in chunks of some 2,000 rows. */
async function readWithin(
  connection: DuckDBConnection,
  sql: string,
  params: readonly DuckDBValue[] | undefined,
  { maxCharacters }: QueryLimits,
): Promise<Record<string, unknown>[]> {
  const result = await connection.stream(sql, params && [...params]);
  const rows: Record<string, unknown>[] = [];
  let characters = 0;
  for await (const chunk of result.yieldRowObjectJs()) {
    for (const row of chunk) {
      characters += charactersOf(Object.values(row));
      if (characters > maxCharacters)
        throw new RowsTooLongError(`the texts of the rows are longer than ${maxCharacters} characters together`);
      rows.push(row);
    }
  }
  return rows;
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce<number>((sum, one) => sum + charactersOf(one), 0) : 0;
}

/** Runs `work` in one transaction of the lake, which is rolled back if it throws. */
export async function inLakeTransaction<T>(connection: LakeConnection, work: () => Promise<T>): Promise<T> {
  await connection.query('begin');
  try {
    const result = await work();
    await connection.query('commit');
    return result;
  } catch (error) {
    // A failed commit has ended the transaction already.
    await connection.query('rollback').catch(() => {});
    throw error;
  }
}

export interface CommitInfo {
  /** Start of the work by PostgreSQL's clock, epoch seconds; PostgreSQL refuses a commit that began too long ago. */
  begun: number;
  /** Shard and id of each staged batch that the commit deletes. */
  batches?: readonly (readonly number[])[];
}

/** Stores what the trigger of migrations/0031_lake.sql reads when the transaction commits. */
export async function signCommit(connection: LakeConnection, info: CommitInfo): Promise<void> {
  await connection.query(
    `call lake.set_commit_message('attune', '${info.batches === undefined ? 'upkeep' : 'ingest'}', extra_info => '${JSON.stringify(info)}')`,
  );
}
