/**
 * Moves finished data to the lake: visits that are over, and conversions and orders that have been attributed to a
 * visit.
 */
import type pg from 'pg';
import { nextBatchId, stageRows } from '../../db/lake/batches.ts';
import { attributePending } from '../../db/siteFacts/attributePending.ts';
import { stageConversions, stageOrders } from '../../db/siteFacts/stageForLake.ts';
import { lockDueVisits, settleVisits } from '../../db/visits/visits.ts';
import { unpackVisit } from '../../domain/visits/visitState.ts';
import { visitRow } from '../../domain/visits/visit.ts';
import type { BatchDeps } from './ingestBatch.ts';

/**
 * Each kind has its own transaction, so that an error in one does not stop the others. Facts go first, because they
 * determine how many goals the visits have.
 */
export const SETTLED_KINDS = ['pending', 'conversions', 'orders', 'visits'] as const;
export type SettledKind = (typeof SETTLED_KINDS)[number];

export interface Settled {
  /** Number of rows that were processed. */
  done: number;
  /** Number of those rows that were staged for the lake. */
  staged: number;
}

/** Settles at most `limit` rows of one kind in a shard, within one transaction, as {@link ingestBatch} does. */
export async function settleShard(
  client: pg.PoolClient,
  { onFaultPoint }: Pick<BatchDeps, 'onFaultPoint'>,
  shard: number,
  kind: SettledKind,
  limit: number,
): Promise<Settled> {
  if (kind === 'pending') return { done: await attributePending(client, shard, limit), staged: 0 };
  const batchId = await nextBatchId(client);
  await onFaultPoint?.('settling');
  const done = await STAGING[kind](client, shard, batchId, limit);
  await onFaultPoint?.('settled');
  return { done, staged: done };
}

const STAGING = { conversions: stageConversions, orders: stageOrders, visits: stageVisits } as const;

async function stageVisits(client: pg.PoolClient, shard: number, batchId: string, limit: number): Promise<number> {
  const visits = await lockDueVisits(client, shard, limit);
  if (visits.length === 0) return 0;
  await stageRows(client, shard, batchId, {
    visits: visits.map(({ state, goals }) => visitRow(unpackVisit(state), goals)),
  });
  await settleVisits(client, batchId, visits);
  return visits.length;
}
