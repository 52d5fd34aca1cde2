/** The data that training reads about a project: positive events of living people, as of one moment. */
import type pg from 'pg';
import { arrayParameter } from '../arrays.ts';
import type { Queryable } from '../pool.ts';

/** A type whose events count in favour of their items. */
export interface PositiveType {
  code: string;
  weight: number;
  valueMap: Record<string, number> | null;
  isPurchase: boolean;
}

/** Person (an identity), item, type, value, milliseconds since 1970, order. */
export type EventRow = [number, string, string, number | null, number, string | null];

/** Number of rows fetched at a time, which takes PostgreSQL some 10 ms. */
const FETCH = 2_000;
/** Number of rows that are counted at a time, and of items that are looked up at a time: each also takes some 10 ms. */
const COUNTED = 50_000;
const LOOKED_UP = 5_000;

/** Runs the pieces of a read, with pauses in which others have the cores. */
export interface ReadPace {
  work<T>(piece: () => Promise<T>): Promise<T>;
}

/**
 * Runs `work` in a transaction that sees the tables as they were when it began, whatever is written or deleted since.
 */
export async function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    // Nobody waits for this work: it should not take every core at once.
    await client.query('set local max_parallel_workers_per_gather = 0');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((fault: Error) => (broken = fault));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Returns the positive types. Negative events and those that hide are not evidence of which items belong together. */
export async function readPositiveTypes(client: Queryable, projectId: string): Promise<PositiveType[]> {
  const { rows } = await client.query<PositiveType>({
    name: 'training-types',
    text: `select code, weight, value_map as "valueMap", is_purchase as "isPurchase" from event_types
            where project_id = $1 and weight > 0 and not is_impression and not hides_item`,
    values: [projectId],
  });
  return rows;
}

/**
 * Counts the stored rows of events from an index, in pieces, since there may be millions.
 * @param client a client of {@link inSnapshot}
 * @param piece number of rows that are counted at once
 */
export async function countEventRows(
  client: pg.PoolClient,
  projectId: string,
  pace: ReadPace,
  piece = COUNTED,
): Promise<number> {
  await client.query(
    `declare training_rows no scroll cursor for
     select from events where project_id = $1 union all select from event_states where project_id = $1`,
    [projectId],
  );
  let counted = 0;
  for (;;) {
    const { rowCount } = await pace.work(() => client.query(`move ${piece} in training_rows`));
    counted += rowCount ?? 0;
    if (rowCount !== piece) break;
  }
  await client.query('close training_rows');
  return counted;
}

/** People whose events count: each identity with the identity of its person. */
export interface CountedPeople {
  ids: number[];
  roots: number[];
}

/**
 * Returns the identities of living people who have not turned personalization off. A linked device belongs to its user,
 * whether or not its events have been rewritten.
 * @param sampleOf one in this many persons
 * @param client a client of {@link inSnapshot}
 */
export async function readCountedPeople(
  client: pg.PoolClient,
  projectId: string,
  { sampleOf, pace }: { sampleOf: number; pace: ReadPace },
): Promise<CountedPeople> {
  const people: CountedPeople = { ids: [], roots: [] };
  await client.query(
    `declare training_people no scroll cursor for
     select i.id::float8, coalesce(i.merged_into, i.id)::float8 as root from identities i
      where i.project_id = $1 and i.dead_at is null and coalesce(i.merged_into, i.id) % $2::bigint = 0
        and not exists (select from profiles p where p.project_id = $1 and p.identity_id in (i.id, i.merged_into) and p.personalization = false)`,
    [projectId, sampleOf],
  );
  await fetchAll<[number, number]>(client, 'training_people', pace, (rows) => {
    for (const [id, root] of rows) {
      people.ids.push(id);
      people.roots.push(root);
    }
  });
  return people;
}

/**
 * Passes the events of the types to `take`, unordered, with the people that {@link readCountedPeople} returned.
 * @param client a client of {@link inSnapshot}
 */
export async function readEventRows(
  client: pg.PoolClient,
  projectId: string,
  { types, people, pace }: { types: readonly PositiveType[]; people: CountedPeople; pace: ReadPace },
  take: (rows: readonly EventRow[]) => void,
): Promise<void> {
  // The whole result is read: a plan for the first rows would look up each identity separately. A merge join would sort
  // all events before it returns the first one, which takes longer than hashing the people.
  await client.query('set local cursor_tuple_fraction = 1');
  await client.query('set local enable_mergejoin = off');
  const declare = `declare training_events no scroll cursor for
     select p.root::float8, e.item_id, e.type, e.value, (extract(epoch from e.occurred_at) * 1000)::float8, e.order_id
       from (select identity_id, item_id, type, value, occurred_at, order_id from events
              where project_id = $1 and type = any($2::text[])
             union all
             select identity_id, item_id, type, value, occurred_at, null from event_states
              where project_id = $1 and type = any($2::text[]) and value <> 0) as e
       join unnest($3::bigint[], $4::bigint[]) as p (id, root) on p.id = e.identity_id`;
  const values = [projectId, types.map(({ code }) => code), arrayParameter(people.ids), arrayParameter(people.roots)];
  await pace.work(() => client.query(declare, values));
  await fetchAll<EventRow>(client, 'training_events', pace, take);
}

/** Passes all rows of a cursor to `take`, piece by piece, and closes it. */
async function fetchAll<Row extends unknown[]>(
  client: pg.PoolClient,
  cursor: string,
  pace: ReadPace,
  take: (rows: readonly Row[]) => void,
): Promise<void> {
  let isLast = false;
  while (!isLast)
    await pace.work(async () => {
      const { rows } = await client.query<Row>({ text: `fetch ${FETCH} from ${cursor}`, rowMode: 'array' });
      take(rows);
      isLast = rows.length < FETCH;
    });
  await client.query(`close ${cursor}`);
}

/** Returns those of the items that are deleted. */
export async function readDeletedItems(
  client: Queryable,
  projectId: string,
  ids: readonly string[],
  pace: ReadPace,
): Promise<string[]> {
  const deleted: string[] = [];
  for (let from = 0; from < ids.length; from += LOOKED_UP)
    await pace.work(async () => {
      const { rows } = await client.query<{ id: string }>(
        'select id from items where project_id = $1 and id = any($2::text[]) and deleted',
        [projectId, arrayParameter(ids.slice(from, from + LOOKED_UP))],
      );
      deleted.push(...rows.map(({ id }) => id));
    });
  return deleted;
}

/** Maximum number of rows that a training reads; further ones wait for the next training. */
const MAX_FORGOTTEN = 500_000;

/**
 * Returns the rows of output_forgotten that the current model, or the pairs in its place, do not take into account yet:
 * their ids, and their items.
 */
export async function readForgotten(
  client: Queryable,
  projectId: string,
): Promise<{ rowIds: string[]; items: string[] }> {
  const { rows } = await client.query<{ id: string; item: string }>(
    `select id, item_id as item from output_forgotten where project_id = $1 order by id limit ${MAX_FORGOTTEN}`,
    [projectId],
  );
  return { rowIds: rows.map(({ id }) => id), items: [...new Set(rows.map(({ item }) => item))] };
}
