/** Windows: a fact of the same person, item and type shortly after, or before, another one is a duplicate. */
import type pg from 'pg';
import { outsideWindows, windowSlots, type PersonEvent } from '../../domain/events/countingEvents.ts';
import { arrayParameter } from '../arrays.ts';
import { column, hashesOf, idsOf, seriesColumns, timesOf } from './columnArrays.ts';
import { isKnownId } from './rememberedIds.ts';

/** SQL expression: a fact of the same identity, item and type is stored within the window of the event `w`. */
const HAS_NEAR_FACT = `(select e.type from events e
                    where e.project_id = $1 and e.identity_id = w.identity_id
                      and e.occurred_at > w.occurred_at - make_interval(secs => w.seconds) and e.occurred_at < w.occurred_at + make_interval(secs => w.seconds)
                      and e.item_id = w.item_id and e.type = w.type limit 1) is not null`;

/**
 * Drops the facts that lie within the window of a stored fact or of an earlier fact of the request; facts of types
 * without a window stay. Requests with the same series wait for each other here until the transaction ends, since
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
  // Rows move from devices to their users, so in this order none is missed.
  const onDevices = await findNearOnDevices(client, projectId, windowed);
  const known = new Set([...onDevices, ...(await findKnown(client, projectId, windowed))]);
  const fresh = outsideWindows(windowed.filter((_, index) => !known.has(index)));
  return [...facts.filter(({ type }) => type.dedup_window_sec === 0), ...fresh];
}

/**
 * The locks have keys of two numbers (db/lockKeys.ts names the others). Projects that hash to the same key only wait
 * for each other needlessly.
 */
async function waitForTurn(client: pg.PoolClient, projectId: string, windowed: readonly PersonEvent[]): Promise<void> {
  await client.query({
    name: 'events-window-turn',
    text: 'select pg_advisory_xact_lock(hashtext($1), slot) from unnest($2::integer[]) as s (slot)',
    values: [projectId, windowSlots(windowed)],
  });
}

/**
 * Returns the indexes of the facts whose id is known or which lie within the window of a stored one. An event with a
 * known id is left out before windows are compared: it is not stored, so it opens no window.
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
            where ${isKnownId('w')}
               or ${HAS_NEAR_FACT}`,
    values: [
      projectId,
      idsOf(windowed),
      hashesOf(windowed),
      ...seriesColumns(windowed),
      timesOf(windowed),
      column(windowed, ({ type }) => type.dedup_window_sec),
    ],
  });
  return rows.map(({ index }) => index);
}

interface MovingDevice {
  deviceId: string;
  userId: string;
}

/**
 * Returns the indexes of the facts that lie within the window of a fact that is stored under a device of their user and
 * whose row has not been rewritten to the user yet (the job `user-link`).
 */
async function findNearOnDevices(
  client: pg.PoolClient,
  projectId: string,
  windowed: readonly PersonEvent[],
): Promise<number[]> {
  const moving = await findMovingDevices(client, projectId, windowed);
  const onDevices = windowed.flatMap((event, index) =>
    moving
      .filter(({ userId }) => userId === event.identityId)
      .map(({ deviceId }) => ({ ...event, identityId: deviceId, index })),
  );
  if (onDevices.length === 0) return [];
  const { rows } = await client.query<{ index: number }>({
    name: 'events-window-devices',
    text: `select w.index
             from unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[], $6::integer[], $7::integer[])
                  as w (identity_id, item_id, type, occurred_at, seconds, index)
            where ${HAS_NEAR_FACT}`,
    values: [
      projectId,
      ...seriesColumns(onDevices),
      timesOf(onDevices),
      column(onDevices, ({ type }) => type.dedup_window_sec),
      column(onDevices, ({ index }) => index),
    ],
  });
  return rows.map(({ index }) => index);
}

/** There are usually none: a link is in progress for a few minutes. */
async function findMovingDevices(
  client: pg.PoolClient,
  projectId: string,
  windowed: readonly PersonEvent[],
): Promise<MovingDevice[]> {
  const { rows } = await client.query<MovingDevice>({
    name: 'events-window-moving',
    text: `select i.id as "deviceId", i.merged_into as "userId"
             from identities i
            where i.project_id = $1 and i.merged_into = any($2::bigint[])
              and (select j.entity_id from jobs j where j.project_id = $1 and j.kind = 'user-link' and j.entity_id = i.id::text) is not null`,
    values: [projectId, arrayParameter([...new Set(windowed.map(({ identityId }) => identityId))])],
  });
  return rows;
}
