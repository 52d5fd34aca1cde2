/** Lets a test say when an item changed: the trigger that stamps items would say now. */
import type pg from 'pg';
import { inTransaction } from '../../db/pool.ts';

/** Runs a statement with triggers off. */
export function unstamped(pool: pg.Pool, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  return inTransaction(pool, async (client) => {
    await client.query('set local session_replication_role = replica');
    return client.query(text, values);
  });
}
