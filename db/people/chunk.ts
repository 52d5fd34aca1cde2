/** Rows of a chunk, changed so that no plan can go wrong, nobody waits in a circle and none is forgotten. */
import type pg from 'pg';

export interface Chunk {
  table: string;
  /** Which rows; unqualified columns of an index that are in `project_id` and `identity_id`. */
  of: string;
  /** Which of these alone, by columns that no update changes; all of them otherwise. */
  only?: string;
  /** The order in which everybody locks rows of the table. */
  lockOrder: string;
  /** Which rows first, where an index knows; any otherwise. */
  first?: string;
  /** The parameter with the number of rows. */
  limit: string;
}

/** Rows that a statement found, and those of them that it changed. */
export interface Counts {
  found: number;
  changed: number;
}

/**
 * The parts `chunk` and `locked` of a statement, for `with`. Rows are found by their index, then locked
 * and changed by their place: without statistics, or with those of a smaller table, a plan by keys
 * compared every row with every key of the chunk, and 5,000 of 200,000 rows took over 30 s. Nothing but
 * the place may be asked for at the lock, or an index is taken for it again.
 */
export function takeChunk({ table, of, only, lockOrder, first, limit }: Chunk): string {
  return `chunk as materialized (
            select ctid as place from ${table} where ${of} ${only === undefined ? '' : `and ${only}`} ${first === undefined ? '' : `order by ${first}`} limit ${limit}),
          locked as materialized (
            select ctid as place, project_id, identity_id from ${table} where ctid = any(array(select place from chunk)) order by ${lockOrder} for update)`;
}

/** The condition that a row is locked and, after the wait for its lock, still one of them. */
export function isTaken({ of }: Pick<Chunk, 'of'>): string {
  return `ctid = any(array(select place from locked where ${of}))`;
}

/** Of a statement whose last part is `changed`: a row that somebody changed meanwhile is found and not changed. */
export const COUNTS =
  'select (select count(*)::int from chunk) as found, (select count(*)::int from changed) as changed';

/** Runs a statement that ends with {@link COUNTS}. Unnamed, so that its plan follows the tables' growth. */
export async function changeChunk(client: pg.PoolClient, text: string, values: unknown[]): Promise<Counts> {
  const { rows } = await client.query<Counts>(text, values);
  return rows[0] ?? { found: 0, changed: 0 };
}

/**
 * Does one kind of rows after the other, as long as there is room for more.
 * @returns the rows that were changed, and whether nothing is left of any kind
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
 * Does the first kind of which something is left, and no other.
 * @returns the rows that were changed, and whether nothing was left of any kind
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

/** Orders and events are locked in the order of their ids, as intake and expansions lock them. */
export const ORDER_LOCKS = 'order_id';
export const EVENT_LOCKS = 'id';
/** As intake sorts them (domain/eventModes.ts). */
export const STATE_LOCKS = 'identity_id::text collate "C", item_id collate "C", type collate "C"';
