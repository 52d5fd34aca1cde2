/** What cannot go to the lake for a fault of its own, out of the way of the others. */
import type { Queryable } from './pool.ts';
import { isOver } from './visits/over.ts';

/** In place of a batch's id; a row that changes is tried again. `lake_batch = null` has it tried by hand. */
export const SET_ASIDE = -1;

/** The one that is next by the rules of lockDueVisits and stageFacts. */
const NEXT = {
  visits: `select ctid from site_visits v where shard = $1 and lake_batch is null and ${isOver('v')} order by last_hit_at limit 1`,
  conversions: nextFact('site_conversions'),
  orders: nextFact('site_orders'),
} as const;

function nextFact(table: string): string {
  return `select ctid from ${table} where shard = $1 and lake_batch is null and attribution <> 'pending' limit 1`;
}

export type UnsettledKind = keyof typeof NEXT;

/** Puts the next row of a shard aside that would be settled; it stays where it is. */
export async function setUnsettledAside(db: Queryable, shard: number, kind: UnsettledKind): Promise<void> {
  await db.query(`update site_${kind} set lake_batch = ${SET_ASIDE} where ctid = (${NEXT[kind]} for update)`, [shard]);
}
