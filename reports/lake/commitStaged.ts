/** Staged rows go into the lake. */
import type pg from 'pg';
import type { Lake } from './lake.ts';

export interface Committed {
  batches: number;
  rows: number;
}

/**
 * Puts the staged batches of these shards into the lake, each exactly once whoever else does the same.
 * @returns what this call put in; zeros when nothing was staged or somebody else was first
 */
export async function commitStaged(lake: Lake, pool: pg.Pool, shards: readonly number[]): Promise<Committed> {
  throw new Error(`not yet: ${String(lake)} ${String(pool)} ${shards.length}`);
}
