/** Windows: a second fact of the same person, item and type soon after, or before, another is a duplicate. */
import type pg from 'pg';
import { outsideWindows, windowSlots, type PersonEvent } from '../../domain/eventModes.ts';
import { column, hashesOf, idsOf, subjectColumns, timesOf } from './columns.ts';

/**
 * Drops the facts that the tables or the facts before them put within a window; facts of types without
 * one stay. Requests with the same subjects wait for each other here until the transaction ends, since
 * neither would see the other's rows.
 */
export async function dropWithinWindows(
  client: pg.PoolClient,
  projectId: string,
  facts: readonly PersonEvent[],
): Promise<PersonEvent[]> {
  const windowed = facts.filter(({ type }) => type.dedup_window_sec > 0);
  if (windowed.length === 0) return [...facts];
  await waitForTurn(client, projectId, windowed);
  const known = new Set(await findKnown(client, projectId, windowed));
  const fresh = outsideWindows(windowed.filter((_, index) => !known.has(index)));
  return [...facts.filter(({ type }) => type.dedup_window_sec === 0), ...fresh];
}

/** Keys of two numbers: nothing else here locks such ones. Another project in the same slot only waits in vain. */
async function waitForTurn(client: pg.PoolClient, projectId: string, windowed: readonly PersonEvent[]): Promise<void> {
  await client.query({
    name: 'events-window-turn',
    text: 'select pg_advisory_xact_lock(hashtext($1), slot) from unnest($2::integer[]) as s (slot)',
    values: [projectId, windowSlots(windowed)],
  });
}

/**
 * Indexes of the facts whose id is known or which come within the window of a stored one. An event
 * with a known id is left out before windows are compared: it is not stored, so it opens no window.
 */
async function findKnown(
  client: pg.PoolClient,
  projectId: string,
  windowed: readonly PersonEvent[],
): Promise<number[]> {
  const { rows } = await client.query<{ index: number }>({
    name: 'events-window-known',
    text: `select (w.ordinal - 1)::integer as index
             from unnest($2::text[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::timestamptz[], $8::integer[])
                  with ordinality as w (id, hash, identity_id, item_id, type, occurred_at, seconds, ordinal)
            where (select e.type from events e where e.project_id = $1 and e.id = w.id) is not null
               or (select s.expires_on from seen_event_ids s where s.project_id = $1 and s.id_hash = w.hash) is not null
               or (select e.type from events e
                    where e.project_id = $1 and e.identity_id = w.identity_id
                      and e.occurred_at > w.occurred_at - make_interval(secs => w.seconds) and e.occurred_at < w.occurred_at + make_interval(secs => w.seconds)
                      and e.item_id = w.item_id and e.type = w.type limit 1) is not null`,
    values: [
      projectId,
      idsOf(windowed),
      hashesOf(windowed),
      ...subjectColumns(windowed),
      timesOf(windowed),
      column(windowed, ({ type }) => type.dedup_window_sec),
    ],
  });
  return rows.map(({ index }) => index);
}
