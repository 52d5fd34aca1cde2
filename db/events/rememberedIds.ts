/** Ids of events that leave no row of their own, stored as hashes so that a repeat is recognised. */
import type pg from 'pg';
import { column, hashesOf, idsOf } from './columnArrays.ts';
import type { ValidEvent } from '../../domain/events/validateEvents.ts';
import { eventIdHash, STATE_ID_DAYS } from '../../domain/events/rememberedIds.ts';
import { arrayParameter } from '../arrays.ts';
import type { Queryable } from '../pool.ts';

/** An event of a request, and the number of days from today for which its id is remembered. */
export interface Remembered<Event extends ValidEvent> {
  event: Event;
  days: number;
}

/**
 * Stores ids. They are written in the order of their hashes, so that requests with the same ones do not deadlock.
 * @returns the events whose id was known neither here nor as a fact
 */
export async function rememberIds<Event extends ValidEvent>(
  client: pg.PoolClient,
  projectId: string,
  remembered: readonly Remembered<Event>[],
): Promise<Event[]> {
  if (remembered.length === 0) return [];
  const entries = remembered
    .map(({ event, days }) => ({ event, days, hash: eventIdHash(event.id) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash)));
  const { rows } = await client.query<{ fresh: number; hashes: string[] | null }>({
    name: 'events-remember-ids',
    // Usually all of them are new, and then none has to be returned.
    text: `with fresh as (
             insert into seen_event_ids (project_id, id_hash, expires_on)
             select $1, e.hash, (now() at time zone 'UTC')::date + e.days
               from unnest($2::text[], $3::uuid[], $4::integer[]) as e (id, hash, days)
              where (select f.type from events f where f.project_id = $1 and f.id = e.id) is null
             on conflict do nothing
             returning id_hash)
           select count(*)::integer as fresh, case when count(*) < cardinality($3) then array_agg(id_hash::text) end as hashes from fresh`,
    values: [
      projectId,
      column(entries, ({ event }) => event.id),
      column(entries, ({ hash }) => hash),
      column(entries, ({ days }) => days),
    ],
  });
  if (rows[0]?.fresh === entries.length) return remembered.map(({ event }) => event);
  const fresh = new Set(rows[0]?.hashes);
  return entries.filter(({ hash }) => fresh.has(hash)).map(({ event }) => event);
}

/**
 * SQL condition on a row with `id` and `hash`: the id is known, as that of a fact or a remembered one. The project is
 * $1.
 */
export const isKnownId = (row: string): string =>
  `(select f.type from events f where f.project_id = $1 and f.id = ${row}.id) is not null
   or (select s.expires_on from seen_event_ids s where s.project_id = $1 and s.id_hash = ${row}.hash) is not null`;

/** Returns the events whose id is known neither here nor as a fact. */
export async function withNewIds<Event extends ValidEvent>(
  client: Queryable,
  projectId: string,
  events: readonly Event[],
): Promise<Event[]> {
  if (events.length === 0) return [];
  const { rows } = await client.query<{ index: number }>({
    name: 'events-new-ids',
    text: `select (e.ordinal - 1)::integer as index
             from unnest($2::text[], $3::uuid[]) with ordinality as e (id, hash, ordinal)
            where not (${isKnownId('e')})`,
    values: [projectId, idsOf(events), hashesOf(events)],
  });
  const fresh = new Set(rows.map(({ index }) => index));
  return events.filter((_, index) => fresh.has(index));
}

/**
 * Stores the ids of facts whose rows are about to be deleted; they are kept for as long as the ids of states. They are
 * written in the order of their hashes, as in {@link rememberIds}.
 */
export async function rememberIdsOfDeleted(
  client: pg.PoolClient,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'events-remember-deleted-ids',
    text: `insert into seen_event_ids (project_id, id_hash, expires_on)
           select $1, hash, (now() at time zone 'UTC')::date + $3::integer from unnest($2::uuid[]) as h (hash)
           on conflict do nothing`,
    values: [projectId, arrayParameter(ids.map(eventIdHash).sort()), STATE_ID_DAYS],
  });
}

/** Deletes expired ids, at most `limit` of them; returns how many. */
export async function deleteExpiredIds(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from seen_event_ids where ctid = any(array(
       select ctid from seen_event_ids where expires_on < (now() at time zone 'UTC')::date limit $1 for update skip locked))`,
    [limit],
  );
  return rowCount ?? 0;
}
