/**
 * Who deletes from a table of the lake loses against whoever inserts meanwhile, and who merges its files against
 * whoever deletes: DuckLake judges by the table. One who works for seconds would never win against commits
 * that come every other second, so writers take turns. Nothing depends on it but that: who waits too long
 * goes ahead, and a lock whose holder is stopped ends with its session.
 */
import type pg from 'pg';

/** Any constant will do, as long as it is ours (db/advisoryLock.ts). */
const LOCK_KEY = 4_817_231_912;
/** With it a hit is still seen within ten seconds while another has a long turn. */
const WAIT = '5s';
/** Longer than any merge takes; then PostgreSQL ends the session of a holder that says nothing. */
const LONGEST_TURN = '5min';

export async function inTurn<T>(pool: Pick<pg.Pool, 'connect'>, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(`begin; set local lock_timeout = '${WAIT}'; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '${LONGEST_TURN}'`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]).catch(ignoreTimeout);
    return await work();
  } finally {
    await client.query('rollback').catch((error: Error) => (broken = error));
    client.release(broken);
  }
}

function ignoreTimeout(error: unknown): void {
  const isTimeout = error instanceof Error && ('code' in error && error.code === '55P03' || error.message === 'Query read timeout');
  if (!isTimeout) throw error;
}
