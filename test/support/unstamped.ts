/** Lets a test set the time at which an item changed, which a trigger would otherwise set to now. */
import type pg from 'pg';
import { inTransaction } from '../../db/pool.ts';

/** Runs a statement with triggers disabled. */
export function withoutTriggers(pool: pg.Pool, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  return inTransaction(pool, async (client) => {
    await client.query('set local session_replication_role = replica');
    return client.query(text, values);
  });
}
