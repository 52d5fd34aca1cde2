/** Transactions in a session that is kept for its locks. */
import type pg from 'pg';
import type { BatchDeps } from './batch.ts';

/**
 * Runs `work` in a transaction of the session.
 * @throws what `work` throws, rolled back; or, when the session cannot roll back, what that says
 */
export async function inSession<T>(
  client: pg.PoolClient,
  passing: BatchDeps['passing'],
  work: () => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await passing?.('before commit');
    await client.query('commit');
    await passing?.('after commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
