/** Changes rows in chunks so that no plan can go wrong, no deadlock occurs and no row is forgotten. */
import type pg from 'pg';

export interface Chunk {
  table: string;
  /**
   * SQL condition that selects the rows, with unqualified columns of an index that begins with `project_id` and
   * `identity_id`.
   */
  where: string;
  /** SQL condition that narrows the rows, with columns that no update changes; by default all rows are taken. */
  only?: string;
  /** The order in which everybody locks rows of the table. */
  lockOrder: string;
  /** The order in which rows are taken, where an index provides it; any otherwise. */
  orderBy?: string;
  /** The parameter that holds the number of rows. */
  limit: string;
}

/** Number of rows that a statement found, and of those that it changed. */
export interface Counts {
  found: number;
  changed: number;
}

/**
 * Returns the parts `chunk` and `locked` of a statement, for `with`. Rows are found by their index, then locked and
 * changed by their address (ctid). Without statistics, or with those of a smaller table, a plan by keys compared every
 * row with every key of the chunk, and 5,000 of 200,000 rows took over 30 s. The lock must be requested by nothing but
 * the address, or the planner uses an index for it again.
 */
export function takeChunk({ table, where, only, lockOrder, orderBy, limit }: Chunk): string {
  return `chunk as materialized (
            select ctid as tid from ${table} where ${where} ${only === undefined ? '' : `and ${only}`} ${orderBy === undefined ? '' : `order by ${orderBy}`} limit ${limit}),
          locked as materialized (
            select ctid as tid, project_id, identity_id from ${table} where ctid = any(array(select tid from chunk)) order by ${lockOrder} for update)`;
}

/** Returns the condition that a row is locked and, after the wait for its lock, still belongs to the chunk. */
export function isTaken({ where }: Pick<Chunk, 'where'>): string {
  return `ctid = any(array(select tid from locked where ${where}))`;
}

/**
 * The end of a statement whose last part is `changed`: a row that somebody else changed in the meantime is counted as
 * found but not as changed.
 */
export const COUNTS =
  'select (select count(*)::int from chunk) as found, (select count(*)::int from changed) as changed';

/** Runs a statement that ends with {@link COUNTS}. It is unnamed, so that its plan follows the growth of the tables. */
export async function changeChunk(client: pg.PoolClient, text: string, values: unknown[]): Promise<Counts> {
  const { rows } = await client.query<Counts>(text, values);
  return rows[0] ?? { found: 0, changed: 0 };
}

/**
 * Changes one kind of rows after the other, as long as the limit leaves room.
 * @returns how many rows were changed, and whether nothing is left of any kind
 */
export async function changeInOrder(
  limit: number,
  kinds: readonly ((limit: number) => Promise<Counts>)[],
): Promise<{ rows: number; isAll: boolean }> {
  let rows = 0;
  for (const change of kinds) {
    const room = limit - rows;
    const { found, changed } = await change(room);
    rows += changed;
    if (found === room || changed < found) return { rows, isAll: false };
  }
  return { rows, isAll: true };
}

/**
 * Changes rows of the first kind that has any, and of no other.
 * @returns how many rows were changed, and whether nothing was left of any kind
 */
export async function changeFirst(
  kinds: readonly (() => Promise<Counts>)[],
): Promise<{ rows: number; isAll: boolean }> {
  for (const change of kinds) {
    const { found, changed } = await change();
    if (found > 0) return { rows: changed, isAll: false };
  }
  return { rows: 0, isAll: true };
}

/** Orders and events are locked in id order, as intake and expansions lock them. */
export const ORDER_LOCKS = 'order_id';
export const EVENT_LOCKS = 'id';
/** The order in which the intake sorts states (domain/events/countingEvents.ts). */
export const STATE_LOCKS = 'identity_id::text collate "C", item_id collate "C", type collate "C"';
