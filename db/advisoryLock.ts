/** Work that only one process at a time may do. */
import { LOCK_KEYS } from './lockKeys.ts';
import type { Queryable } from './pool.ts';

/** Kinds of work, all of them done by the relay. */
type ExclusiveWork = 'reconciler' | 'retention' | 'volume' | 'ledger' | 'popularity' | 'tallies';

interface LockClient extends Queryable {
  release(destroy: boolean): void;
}

/**
 * Runs `work` unless another process is running it now; returns false in that case. Afterwards the lock is free, or the
 * session that held it has been closed.
 */
export async function runExclusively(
  pool: { connect(): Promise<LockClient> },
  lock: ExclusiveWork,
  work: () => Promise<void>,
): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LOCK_KEYS[lock],
    ]);
    if (rows[0]?.locked) await work();
    return rows[0]?.locked === true;
  } finally {
    // If unlocking fails, the end of the session frees the lock.
    client.release(!(await unlock(client)));
  }
}

/** Returns whether the session holds no lock any more. */
async function unlock(client: LockClient): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_all()');
    return true;
  } catch {
    return false;
  }
}
