/**
 * Turns of the lake's writers. A delete from a table of the lake loses a conflict with a concurrent insert, and a merge
 * of its files with a concurrent delete: DuckLake detects conflicts per table. Work that takes seconds would never win
 * against commits every other second, so writers take turns: a commit waits for another's turn, and proceeds anyway
 * when that takes long. Upkeep that lost a conflict for this reason runs again ahead of all commits, which wait for it.
 * Nothing else depends on the turns: a writer that waits too long proceeds, and the lock of a holder that is stopped
 * ends with its session.
 */
import type pg from 'pg';
import { LOCK_KEYS } from '../lockKeys.ts';

/** Always taken in this order. */
const LOCKS = {
  /** Held by one upkeep at a time. */
  upkeep: LOCK_KEYS.lakeUpkeep,
  /**
   * Shared by commits; exclusive for upkeep that lost a conflict once: commits that arrive while it waits queue behind
   * it.
   */
  precedence: LOCK_KEYS.lakePrecedence,
  turn: LOCK_KEYS.lakeTurn,
} as const;

/** Even with this wait a hit is visible within ten seconds while another writer has a long turn. */
const TURN_SECONDS = 5;
/** Longer than the longest work that goes ahead, and shorter than the alert on staged rows allows (ops/alerts.yml). */
const PRECEDENCE_SECONDS = 240;
/** After this time PostgreSQL ends the session of an idle holder. */
const MAX_TURN = '5min';

type Pool = Pick<pg.Pool, 'connect'>;

/** Runs a commit of staged rows when it is its turn. Commits are many and short. */
export async function commitInTurn<T>(pool: Pool, commit: () => Promise<T>): Promise<T> {
  return withLocks(pool, async (client) => {
    await waitFor(client, 'pg_advisory_xact_lock_shared', LOCKS.precedence, PRECEDENCE_SECONDS);
    await waitFor(client, 'pg_advisory_xact_lock', LOCKS.turn, TURN_SECONDS);
    return commit();
  });
}

/**
 * How commits treat the work. `beside`: they do not wait; `in turn`: they wait a few seconds; `ahead`: they wait until
 * it is done.
 */
export type Precedence = 'beside' | 'in turn' | 'ahead';
export type InRank = <T>(rank: Precedence, work: () => Promise<T>) => Promise<T>;

/** Runs upkeep while no other upkeep runs; `upkeep` chooses the rank for each of its tries. */
export async function upkeepInTurn<T>(pool: Pool, upkeep: (inRank: InRank) => Promise<T>): Promise<T> {
  return withLocks(pool, async (client) => {
    await waitFor(client, 'pg_advisory_xact_lock', LOCKS.upkeep, PRECEDENCE_SECONDS);
    return upkeep(async (rank, work) => {
      await client.query('savepoint try');
      try {
        if (rank === 'ahead') await waitFor(client, 'pg_advisory_xact_lock', LOCKS.precedence, PRECEDENCE_SECONDS);
        if (rank !== 'beside') await waitFor(client, 'pg_advisory_xact_lock', LOCKS.turn, TURN_SECONDS);
        return await work();
      } finally {
        // If the session has ended in the meantime, its locks are released; the work succeeds or fails regardless.
        await client.query('rollback to savepoint try').catch(() => {});
      }
    });
  });
}

async function withLocks<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(
      `begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '${MAX_TURN}'`,
    );
    return await work(client);
  } finally {
    await client.query('rollback').catch((error: Error) => (broken = error));
    client.release(broken);
  }
}

/** Waits for a lock, and proceeds without it after the timeout. */
async function waitFor(client: pg.PoolClient, lock: string, key: number, seconds: number): Promise<void> {
  await client.query(`savepoint lock; set local lock_timeout = '${seconds}s'`);
  // The timeout is longer than the pool's limit for a statement.
  const statement = { text: `select ${lock}($1)`, values: [key], query_timeout: (seconds + TURN_SECONDS) * 1_000 };
  await client.query(statement).catch(async (error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    // Locks that were taken before are kept.
    await client.query('rollback to savepoint lock');
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
