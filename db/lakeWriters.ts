/**
 * Who deletes from a table of the lake loses against whoever inserts meanwhile, and who merges its files against
 * whoever deletes: DuckLake judges by the table. One who works for seconds would never win against commits
 * that come every other second, so writers take turns: a commit waits for another's turn, and goes ahead
 * when that lasts. Upkeep that lost so does it again ahead of all commits, which wait then.
 * Nothing depends on it but that: who waits too long goes ahead, and a lock whose holder is stopped ends with
 * its session.
 */
import type pg from 'pg';

/** Any constants will do, as long as they are ours (db/advisoryLock.ts). Always taken in this order. */
const LOCKS = {
  /** One upkeep at a time. */
  upkeep: 4_817_231_914,
  /** Shared by commits, alone for upkeep that lost once: whoever comes while it waits is behind it. */
  precedence: 4_817_231_913,
  turn: 4_817_231_912,
} as const;

/** With it a hit is still seen within ten seconds while another has a long turn. */
const TURN_SECONDS = 5;
/** Beyond the longest work that goes ahead; and before staged rows are an alert (ops/alerts.yml). */
const PRECEDENCE_SECONDS = 240;
/** Then PostgreSQL ends the session of a holder that says nothing. */
const LONGEST_TURN = '5min';

type Pool = Pick<pg.Pool, 'connect'>;

/** Runs a commit of staged rows when it is its turn: one of many, and short. */
export async function commitInTurn<T>(pool: Pool, commit: () => Promise<T>): Promise<T> {
  return withLocks(pool, async (client) => {
    await waitFor(client, 'pg_advisory_xact_lock_shared', LOCKS.precedence, PRECEDENCE_SECONDS);
    await waitFor(client, 'pg_advisory_xact_lock', LOCKS.turn, TURN_SECONDS);
    return commit();
  });
}

/** `beside`: without regard to commits; `in turn`: those wait some seconds; `ahead`: they wait until it is done. */
export type Rank = 'beside' | 'in turn' | 'ahead';
export type InRank = <T>(rank: Rank, work: () => Promise<T>) => Promise<T>;

/** Runs upkeep while no other does; `upkeep` says for each of its tries how commits are to regard it. */
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
        // A session that ended meanwhile took the locks with it; the work stands or fails by itself.
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
      `begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '${LONGEST_TURN}'`,
    );
    return await work(client);
  } finally {
    await client.query('rollback').catch((error: Error) => (broken = error));
    client.release(broken);
  }
}

/** Goes on without the lock when it does not come. */
async function waitFor(client: pg.PoolClient, lock: string, key: number, seconds: number): Promise<void> {
  await client.query(`savepoint lock; set local lock_timeout = '${seconds}s'`);
  // Longer than the pool lets a statement take.
  const statement = { text: `select ${lock}($1)`, values: [key], query_timeout: (seconds + TURN_SECONDS) * 1_000 };
  await client.query(statement).catch(async (error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    // The locks that were taken before stay.
    await client.query('rollback to savepoint lock');
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
