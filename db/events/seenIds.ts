/** Ids of events that leave no row of their own, remembered by their hash so that a repeat is known. */
import type pg from 'pg';
import { hashesOf, idsOf } from './columns.ts';
import type { TakenEvent } from '../../domain/events.ts';
import { eventIdHash } from '../../domain/eventIds.ts';
import type { Queryable } from '../pool.ts';

/** The ids of events of one request, and for how many days from today each is remembered. */
export interface Remembered<Event extends TakenEvent> {
  event: Event;
  days: number;
}

/**
 * Remembers ids, in the order of their hashes (requests with the same ones do not wait in a circle).
 * @returns the events whose id was not known, neither here nor as a fact, in their order
 */
export async function rememberIds<Event extends TakenEvent>(client: pg.PoolClient, projectId: string, remembered: readonly Remembered<Event>[]): Promise<Event[]> {
  if (remembered.length === 0) return [];
  const events = remembered.map(({ event }) => event);
  const { rows } = await client.query<{ id_hash: string }>({
    name: 'events-remember-ids',
    text: `insert into seen_event_ids (project_id, id_hash, expires_on)
           select $1, e.hash, (now() at time zone 'UTC')::date + e.days
             from unnest($2::text[], $3::uuid[], $4::integer[]) as e (id, hash, days)
            where (select f.type from events f where f.project_id = $1 and f.id = e.id) is null
            order by e.hash
           on conflict do nothing
           returning id_hash`,
    values: [projectId, idsOf(events), hashesOf(events), remembered.map(({ days }) => days)],
  });
  if (rows.length === events.length) return events;
  const fresh = new Set(rows.map((row) => row.id_hash));
  return events.filter(({ id }) => fresh.has(eventIdHash(id)));
}

/** Forgets ids whose time is over, at most `limit` of them; returns how many. */
export async function forgetExpiredIds(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from seen_event_ids where ctid = any(array(
       select ctid from seen_event_ids where expires_on < (now() at time zone 'UTC')::date limit $1 for update skip locked))`,
    [limit],
  );
  return rowCount ?? 0;
}
