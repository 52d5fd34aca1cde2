/** The data that training reads of a project: positive events of living people, as of one moment. */
import type pg from 'pg';
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

/** Number of rows fetched at a time: a few MB. */
const FETCH = 10_000;

/**
 * Runs `work` in a transaction that sees the tables as they were when it began, whatever is written or deleted since.
 */
export async function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
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

/** Counts the stored rows of events, from an index. */
export async function countEventRows(client: Queryable, projectId: string): Promise<number> {
  const { rows } = await client.query<{ events: number }>({
    name: 'training-count',
    text: `select ((select count(*) from events where project_id = $1) + (select count(*) from event_states where project_id = $1))::float8 as events`,
    values: [projectId],
  });
  return rows[0]?.events ?? 0;
}

/**
 * Passes the events of the types to `take`, unordered. Those of a linked device count as its user's, whether or not
 * they have been rewritten; those of deleted people, and of people who want no personalization, are left out.
 * @param sampleOf reads one in this many persons
 * @param client a client of {@link inSnapshot}
 */
export async function readEventRows(
  client: pg.PoolClient,
  projectId: string,
  { types, sampleOf }: { types: readonly PositiveType[]; sampleOf: number },
  take: (rows: readonly EventRow[]) => void,
): Promise<void> {
  // The whole result is read: a plan for the first rows would look up each identity separately.
  await client.query('set local cursor_tuple_fraction = 1');
  await client.query(
    `declare training_events no scroll cursor for
     with person as materialized (
       select i.id, coalesce(i.merged_into, i.id) as root from identities i
        where i.project_id = $1 and i.dead_at is null and coalesce(i.merged_into, i.id) % $3::bigint = 0
          and not exists (select from profiles p where p.project_id = $1 and p.identity_id in (i.id, i.merged_into) and p.personalization = false))
     select p.root::float8, e.item_id, e.type, e.value, (extract(epoch from e.occurred_at) * 1000)::float8, e.order_id
       from (select identity_id, item_id, type, value, occurred_at, order_id from events
              where project_id = $1 and type = any($2::text[])
             union all
             select identity_id, item_id, type, value, occurred_at, null from event_states
              where project_id = $1 and type = any($2::text[]) and value <> 0) as e
       join person p on p.id = e.identity_id`,
    [projectId, types.map(({ code }) => code), sampleOf],
  );
  for (;;) {
    const { rows } = await client.query<EventRow>({ text: `fetch ${FETCH} from training_events`, rowMode: 'array' });
    take(rows);
    if (rows.length < FETCH) break;
  }
  await client.query('close training_events');
}

/** Returns those of the items that are deleted. */
export async function readDeletedItems(
  client: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from items where project_id = $1 and id = any($2::text[]) and deleted',
    [projectId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Maximum number of records; further ones wait for the next training. */
const MAX_FORGOTTEN = 500_000;

/** Returns the records since the published model: rows by their ids, and their items. */
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
