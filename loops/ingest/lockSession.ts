/** Transactions in a session that is kept open for its locks. */
import type pg from 'pg';
import type { BatchDeps } from './ingestBatch.ts';

/**
 * Runs `work` in a transaction of the session.
 * @throws the error of `work`, after a rollback; or the error of the rollback when it fails
 */
export async function inSession<T>(
  client: pg.PoolClient,
  onFaultPoint: BatchDeps['onFaultPoint'],
  work: () => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await onFaultPoint?.('before commit');
    await client.query('commit');
    await onFaultPoint?.('after commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
