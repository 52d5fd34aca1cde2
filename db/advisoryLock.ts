/** Work that one process does at a time, whichever it is. */
import type { Queryable } from './pool.ts';

/** Any constants will do, as long as they are ours and differ (db/migrate.ts has one too). */
const LOCK_KEYS = {
  reconciler: 4_817_231_906,
  retention: 4_817_231_907,
  volume: 4_817_231_908,
  ledger: 4_817_231_911,
  popularity: 4_817_231_917,
} as const;

interface LockClient extends Queryable {
  release(destroy: boolean): void;
}

/** Runs `work` unless another process does the same right now; false when it did. */
export async function runAlone(
  pool: { connect(): Promise<LockClient> },
  lock: keyof typeof LOCK_KEYS,
  work: () => Promise<void>,
): Promise<boolean> {
  const client = await pool.connect();
  let isClean = false;
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LOCK_KEYS[lock],
    ]);
    if (rows[0]?.locked) await work();
    await client.query('select pg_advisory_unlock_all()');
    isClean = true;
    return rows[0]?.locked === true;
  } finally {
    // Closing the session frees the lock when the database could not be asked to.
    client.release(!isClean);
  }
}
