/** What has come to rest goes to the lake: visits that are over, conversions and orders that have their visit. */
import type pg from 'pg';
import { nextBatchId, stageRows } from '../db/lakeBatches.ts';
import { attributePending } from '../db/siteFacts/pending.ts';
import { stageFacts } from '../db/siteFacts/stage.ts';
import { lockDueVisits, settleVisits } from '../db/visits/visits.ts';
import { unpackVisit } from '../domain/visits/state.ts';
import { visitRow } from '../domain/visits/visit.ts';
import type { BatchDeps } from './batch.ts';

/** Rows of each kind in one transaction. */
const LIMIT = 2_000;

export interface Settled {
  staged: number;
  /** Something had to be left for the next transaction. */
  more: boolean;
}

/** Within one transaction, as {@link ingestBatch}. */
export async function settleShard(client: pg.PoolClient, { passing }: Pick<BatchDeps, 'passing'>, shard: number): Promise<Settled> {
  const attributed = await attributePending(client, shard, LIMIT);
  const batchId = await nextBatchId(client);
  // Facts first: they tell how many goals the visits have.
  const facts = await stageFacts(client, shard, batchId, LIMIT);
  await passing?.('settling');
  const visits = await lockDueVisits(client, shard, LIMIT);
  if (visits.length > 0) {
    await stageRows(client, shard, batchId, { visits: visits.map(({ state, goals }) => visitRow(unpackVisit(state), goals)) });
    await settleVisits(client, batchId, visits);
  }
  await passing?.('settled');
  return { staged: visits.length + facts, more: Math.max(visits.length, facts, attributed) >= LIMIT };
}
