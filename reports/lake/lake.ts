/** A DuckDB of its own with the lake attached. */
import type { DuckDBValue } from '@duckdb/node-api';
import type { LakeSettings } from './settings.ts';

export interface Lake {
  readonly settings: LakeSettings;
  /** Rows as objects: BIGINT as bigint, DECIMAL and UUID as text, TIMESTAMP as Date. Tables are `lake.hits` and so on. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly DuckDBValue[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** @throws when the catalogue or the extensions cannot be reached */
export async function openLake(settings: LakeSettings): Promise<Lake> {
  throw new Error(`not opened: ${settings.tempDir}`);
}
