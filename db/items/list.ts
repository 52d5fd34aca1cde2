/** The list of items in the order of their changes (migrations/0013_item_list.sql, docs/decisions/item-list.md). */
import type pg from 'pg';
import type { ItemStatus } from '../../domain/analysis/steps.ts';
import type { Queryable } from '../pool.ts';

/** A position in the list: between changes, to the microsecond. */
export interface ItemPosition {
  /** Microseconds since 1970. */
  micros: bigint;
  /** Distinguishes rows of the same microsecond: a hash of the id, signed 64 bits. */
  hash: bigint;
}

export interface ItemListEntry {
  id: string;
  status: ItemStatus;
  available: boolean;
  deleted: boolean;
  updatedAt: Date;
  position: ItemPosition;
}

/** Null stands for any. */
export interface ItemListFilter {
  since: Date | null;
  status: ItemStatus | null;
  available: boolean | null;
}

export interface ItemListQuery extends ItemListFilter {
  after: ItemPosition | null;
  limit: number;
}

/**
 * SQL: the condition of each filter on its parameter. A page has to read them all from the index
 * (docs/decisions/item-list.md).
 */
const CONDITIONS: Readonly<Record<keyof ItemListFilter, (parameter: string) => string>> = {
  since: (since) => `updated_at >= coalesce(${since}::timestamptz, '-infinity')`,
  status: (status) => `(${status}::text is null or status = ${status})`,
  available: (available) => `(${available}::boolean is null or available = ${available})`,
};
const FILTERS = Object.keys(CONDITIONS) as (keyof ItemListFilter)[];

/** Returns the conditions of all filters, whose parameters follow each other from `first` on. */
const passesFilters = (first: number): string =>
  FILTERS.map((name, index) => CONDITIONS[name](`$${first + index}`)).join(' and ');
const valuesOf = (filter: ItemListFilter): unknown[] => FILTERS.map((name) => filter[name]);

type EntryRow = Omit<ItemListEntry, 'position'> & { micros: string; hash: string };

/** A moment of the database's clock. */
export interface Horizon {
  /** As PostgreSQL writes it. */
  text: string;
  /** Microseconds since 1970. */
  micros: number;
}

/**
 * Returns a horizon: every change that may still be committed is later, and a statement that begins afterwards sees
 * every change before it.
 */
export async function readItemsHorizon(pool: Queryable): Promise<Horizon> {
  const { rows } = await pool.query<{ text: string; micros: string }>({
    name: 'items-horizon',
    text: 'select h::text as text, (extract(epoch from h) * 1000000)::bigint as micros from items_horizon() h',
  });
  const [row] = rows;
  if (!row) throw new Error('a row was selected and not returned');
  return { text: row.text, micros: Number(row.micros) };
}

/**
 * Returns a page of a project's items, ascending by their last change, including deleted ones. It ends before any
 * change that may still be committed, so a reader that continues from its last position misses nothing. Therefore it
 * takes two statements, the second with a snapshot that is younger than the result of the first. When few items pass
 * the filter, the statement reads on within the index.
 */
export async function listItems(
  pool: pg.Pool,
  projectId: string,
  { after, limit, ...filter }: ItemListQuery,
): Promise<ItemListEntry[]> {
  const { text: horizon } = await readItemsHorizon(pool);
  const { rows } = await pool.query<EntryRow>(
    `select id, status, available, deleted, updated_at as "updatedAt",
            (extract(epoch from updated_at) * 1000000)::bigint as micros, hashtextextended(id, 0) as hash
       from items
      where project_id = $1 and updated_at < $2::timestamptz
        and (updated_at, hashtextextended(id, 0)) > (coalesce('epoch'::timestamptz + $3::bigint * interval '1 microsecond', '-infinity'), coalesce($4::bigint, 0))
        and ${passesFilters(6)}
      order by updated_at, hashtextextended(id, 0) limit $5`,
    [projectId, horizon, after?.micros, after?.hash, limit, ...valuesOf(filter)],
  );
  return rows.map(({ micros, hash, ...entry }) => ({
    ...entry,
    position: { micros: BigInt(micros), hash: BigInt(hash) },
  }));
}

/**
 * Returns those of the items that the project has, ascending by their last change, as they are now: nothing is held
 * back.
 */
export async function listItemsById(
  pool: pg.Pool,
  projectId: string,
  ids: readonly string[],
  filter: ItemListFilter,
): Promise<Omit<ItemListEntry, 'position'>[]> {
  const { rows } = await pool.query<Omit<ItemListEntry, 'position'>>(
    `select id, status, available, deleted, updated_at as "updatedAt" from items
      where project_id = $1 and id = any($2::text[]) and ${passesFilters(3)}
      order by updated_at, id`,
    [projectId, ids, ...valuesOf(filter)],
  );
  return rows;
}
