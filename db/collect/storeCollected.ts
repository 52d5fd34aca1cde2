/** Durable storage of what the tag sent: many requests in one transaction, each event once. */
import type pg from 'pg';
import type { CollectedBatch, CollectedDevice, CollectedEvent } from '../../domain/collect/collected.ts';
import { shardOf } from '../../domain/collect/shards.ts';
import { arrayParameter, binaryArray } from '../arrays.ts';
import { inTransaction } from '../pool.ts';

/** The valid events of one request. */
export interface CollectedRequest {
  siteId: string;
  visitorId: string;
  receivedAt: Date;
  ip: string;
  userAgent: string;
  device: CollectedDevice | null;
  events: readonly CollectedEvent[];
}

/** Indexes of those events of a request that are already known; they are not stored again. */
export type Repeats = ReadonlySet<number>;

/**
 * Stores all of the requests or none of them. The first of several events with the same key counts. A request in which
 * nothing is new leaves no trace; any other request makes its visitor known.
 * @param rememberHours a key that was last seen longer ago than this counts as new
 * @returns the repeats of each request, in the order of the requests
 */
export async function storeCollected(
  pool: pg.Pool,
  requests: readonly CollectedRequest[],
  rememberHours: number,
): Promise<Repeats[]> {
  const { first, repeats } = findRepeatsWithin(requests);
  // Usually everything is new; then only the writes are left to do while the transaction is open.
  const batches = requests.map((request, index) => batchOf(request, repeats[index] ?? new Set()));
  await inTransaction(pool, async (client) => {
    for (const { request, event } of await rememberKeys(client, [...first.values()], rememberHours)) {
      repeats[request]?.add(event);
      batches[request] = null;
    }
    const rows = requests
      .map((request, index) => ({ request, batch: batches[index] ?? batchOf(request, repeats[index] ?? new Set()) }))
      .filter((row): row is InboxRow => row.batch !== null);
    if (rows.length > 0) await insertInbox(client, rows);
  });
  return repeats;
}

/** The position of an event with a key: the index of its request, and its index in the request. */
interface EventIndex {
  siteId: string;
  key: string;
  request: number;
  event: number;
}

interface InboxRow {
  request: CollectedRequest;
  batch: string;
}

/** Returns the first event of each key, and the indexes of the repeats by request. */
function findRepeatsWithin(requests: readonly CollectedRequest[]): {
  first: Map<string, EventIndex>;
  repeats: Set<number>[];
} {
  const first = new Map<string, EventIndex>();
  const repeats = requests.map(() => new Set<number>());
  requests.forEach(({ siteId, events }, request) => {
    events.forEach(({ key }, event) => {
      const name = `${siteId} ${key}`;
      if (first.has(name)) repeats[request]?.add(event);
      else first.set(name, { siteId, key, request, event });
    });
  });
  return { first, repeats };
}

/** Returns the new part of a request as JSON; null when nothing is new. */
function batchOf({ device, events }: CollectedRequest, repeats: Repeats): string | null {
  const fresh = repeats.size === 0 ? [...events] : events.filter((_, index) => !repeats.has(index));
  return fresh.length === 0 ? null : JSON.stringify({ device, events: fresh } satisfies CollectedBatch);
}

/**
 * Stores keys in key order, so that two processes with the same keys do not deadlock.
 * @returns the events whose key was known
 */
async function rememberKeys(client: pg.PoolClient, events: EventIndex[], rememberHours: number): Promise<EventIndex[]> {
  if (events.length === 0) return [];
  const ordered = events.sort((a, b) => compare(a.siteId, b.siteId) || compare(a.key, b.key));
  const { rows } = await client.query<{ fresh: number; names: string[] | null }>({
    name: 'collect-remember-keys',
    // Usually all of them are new, and then none has to be returned.
    text: `with fresh as (
             insert into collected_events (site_id, key, seen_at)
             select e.site_id, e.key, now() from unnest($1::text[], $2::uuid[]) as e (site_id, key)
             on conflict (site_id, key) do update set seen_at = excluded.seen_at
              where collected_events.seen_at < now() - make_interval(hours => $3)
             returning site_id, key)
           select count(*)::integer as fresh, case when count(*) < cardinality($2) then array_agg(site_id || ' ' || key) end as names from fresh`,
    values: [
      arrayParameter(ordered.map(({ siteId }) => siteId)),
      arrayParameter(ordered.map(({ key }) => key)),
      rememberHours,
    ],
  });
  if (rows[0]?.fresh === ordered.length) return [];
  const fresh = new Set(rows[0]?.names);
  return ordered.filter(({ siteId, key }) => !fresh.has(`${siteId} ${key}`));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Inserts the rows of the inbox in the order of the requests, and their visitors. */
async function insertInbox(client: pg.PoolClient, rows: readonly InboxRow[]): Promise<void> {
  const visitors = new Map(
    rows.map(({ request: { siteId, visitorId } }) => [`${siteId} ${visitorId}`, { siteId, visitorId }]),
  );
  const known = [...visitors].sort(([a], [b]) => compare(a, b)).map(([, visitor]) => visitor);
  const shards = new Map(
    [...new Set(rows.map(({ request }) => request.siteId))].map((siteId) => [siteId, shardOf(siteId)]),
  );
  const column = (of: (request: CollectedRequest) => string | number | null): ReturnType<typeof arrayParameter> =>
    arrayParameter(rows.map(({ request }) => of(request)));
  await client.query({
    name: 'collect-inbox',
    text: `with known as (
             insert into site_visitors (site_id, visitor_id)
             select * from unnest($1::text[], $2::uuid[]) on conflict do nothing)
           insert into collect_inbox (shard, site_id, visitor_id, received_at, ip, user_agent, batch, user_ids, first_at)
           select shard, site_id, visitor_id, received_at, ip, user_agent, batch, user_ids::text[], to_timestamp(first_at / 1000)
             from unnest($3::smallint[], $4::text[], $5::uuid[], $6::timestamptz[], $7::text[], $8::text[], $9::json[], $10::text[], $11::float8[])
               r (shard, site_id, visitor_id, received_at, ip, user_agent, batch, user_ids, first_at)`,
    values: [
      arrayParameter(known.map(({ siteId }) => siteId)),
      arrayParameter(known.map(({ visitorId }) => visitorId)),
      column(({ siteId }) => shards.get(siteId) ?? shardOf(siteId)),
      column(({ siteId }) => siteId),
      column(({ visitorId }) => visitorId),
      column(({ receivedAt }) => receivedAt.toISOString()),
      column(({ ip }) => ip),
      column(({ userAgent }) => userAgent),
      binaryArray(
        'json',
        rows.map(({ batch }) => batch),
      ),
      column(usersOf),
      column(({ events }) => Math.min(...events.map(({ at }) => at))),
    ],
  });
}

/** Returns, as an array literal, the ids of the users whom the events name; null when they name none. */
function usersOf({ events }: CollectedRequest): string | null {
  const userIds = new Set(events.flatMap(({ user }) => (user?.user_id === undefined ? [] : [user.user_id])));
  return userIds.size === 0 ? null : `{${[...userIds].map((id) => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
