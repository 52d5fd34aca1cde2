/** Rows that cannot go to the lake because of a fault of their own, set aside so that they do not block others. */
import type { Queryable } from '../pool.ts';
import { isOver } from '../visits/visitEnd.ts';

/**
 * Stands in place of a batch's id; a row that changes is tried again. Setting `lake_batch = null` by hand retries it.
 */
export const SET_ASIDE = -1;

/** The next row in the order of lockDueVisits and stageFacts. */
const NEXT = {
  visits: `select ctid from site_visits v where shard = $1 and lake_batch is null and ${isOver('v')} order by last_hit_at limit 1`,
  conversions: nextFact('site_conversions'),
  orders: nextFact('site_orders'),
} as const;

function nextFact(table: string): string {
  return `select ctid from ${table} where shard = $1 and lake_batch is null and attribution <> 'pending' limit 1`;
}

export type UnsettledKind = keyof typeof NEXT;

/** Sets aside the next row of a shard that would be settled; it stays in its table. */
export async function setUnsettledAside(db: Queryable, shard: number, kind: UnsettledKind): Promise<void> {
  await db.query(`update site_${kind} set lake_batch = ${SET_ASIDE} where ctid = (${NEXT[kind]} for update)`, [shard]);
}
