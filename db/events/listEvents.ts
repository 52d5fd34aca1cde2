/** Reads stored events, orders and impressions for the cabinet. */
import type { IdentityKind } from '../../domain/people/identity.ts';
import type { Queryable } from '../pool.ts';

/** A position in the list: a time to the microsecond, and a tie-breaker among events of the same time. */
export interface EventPosition {
  moment: string;
  id: string;
}

export interface EventQuery {
  /** Identities of one person; null means anybody. */
  identityIds: readonly string[] | null;
  item: string | null;
  /** Only events of this type, as far as there are any among the next {@link MAX_EXAMINED}; null means any type. */
  type: string | null;
  before: EventPosition | null;
  limit: number;
}

export interface StoredEvent {
  /** Null for `max` and `state`, whose counting event is stored without its id. */
  id: string | null;
  type: string;
  item: string;
  kind: IdentityKind;
  externalId: string;
  value: number | null;
  occurredAt: Date;
  receivedAt: Date;
  recommendationId: string | null;
  surface: string | null;
  position: number | null;
  orderId: string | null;
  quantity: number | null;
  price: number | null;
  cursor: EventPosition;
}

/**
 * Maximum number of rows searched. An item that everybody opens has millions of events, perhaps none of a rare type.
 */
export const MAX_EXAMINED = 20_000;

const MOMENT = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

interface Source {
  table: string;
  /** Distinguishes events of the same time. */
  tie: string;
  id: string;
  details: string;
}

const SOURCES: readonly Source[] = [
  { table: 'events', tie: 'md5(e.id)::uuid', id: 'e.id', details: 'e.order_id, e.quantity, e.price' },
  {
    table: 'event_states',
    tie: `md5(e.identity_id || '/' || e.type || '/' || e.item_id)::uuid`,
    id: 'null::text',
    details: 'null::text, null::float8, null::float8',
  },
];

/**
 * Returns the query of a page of one table. Events of deleted people are not shown, whether or not their rows still
 * exist.
 */
function pageOf({ table, tie, id, details }: Source, { identityIds, item, type, before }: EventQuery): string {
  const conditions = [
    'e.project_id = $1',
    identityIds === null ? '$2::bigint[] is null' : 'e.identity_id = any($2::bigint[])',
    item === null ? '$3::text is null' : 'e.item_id = $3',
    ...(before === null
      ? ['$4::timestamptz is null', '$5::uuid is null']
      : ['e.occurred_at <= $4::timestamptz', `(e.occurred_at, ${tie}) < ($4::timestamptz, $5::uuid)`]),
    '(select i.dead_at is null from identities i where i.project_id = $1 and i.id = e.identity_id)',
  ];
  const page = `select ${id} as id, e.type, e.item_id, e.identity_id, e.value, e.occurred_at, e.received_at, e.recommendation_id, e.surface, e.position,
                  ${details}, ${tie} as tie
             from ${table} e where ${conditions.join(' and ')} order by e.occurred_at desc, tie desc`;
  return type === null
    ? `(${page} limit $6)`
    : `(select * from (${page} limit ${MAX_EXAMINED}) as looked_at where type = $7 order by occurred_at desc, tie desc limit $6)`;
}

/** Returns events by user or by item, the newest first. The events of a user's devices count as the user's. */
export async function listEvents(db: Queryable, projectId: string, query: EventQuery): Promise<StoredEvent[]> {
  const { rows } = await db.query<Omit<StoredEvent, 'cursor'> & EventPosition & { tie: string }>(
    `select e.id, e.type, e.item_id as item, coalesce(u.kind, i.kind) as kind, coalesce(u.external_id, i.external_id) as "externalId", e.value,
            e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.recommendation_id as "recommendationId", e.surface, e.position,
            e.order_id as "orderId", e.quantity, e.price, ${MOMENT('e.occurred_at')} as moment, e.tie
       from (${SOURCES.map((source) => pageOf(source, query)).join(' union all ')})
            as e (id, type, item_id, identity_id, value, occurred_at, received_at, recommendation_id, surface, position, order_id, quantity, price, tie)
       join identities i on i.project_id = $1 and i.id = e.identity_id
       left join identities u on u.project_id = $1 and u.id = i.merged_into
      order by e.occurred_at desc, e.tie desc limit $6`,
    [
      projectId,
      query.identityIds,
      query.item,
      query.before?.moment,
      query.before?.id,
      query.limit,
      ...(query.type === null ? [] : [query.type]),
    ],
  );
  return rows.map(({ moment, tie, ...event }) => ({ ...event, cursor: { moment, id: tie } }));
}

export interface StoredOrder {
  orderId: string;
  status: 'created' | 'cancelled';
  occurredAt: Date;
  updatedAt: Date;
  lines: { item: string; quantity: number; price: number | null }[];
}

/** Returns the orders of a person, the newest first. */
export async function listOrders(
  db: Queryable,
  projectId: string,
  identityIds: readonly string[],
  limit: number,
): Promise<StoredOrder[]> {
  const { rows } = await db.query<StoredOrder>(
    `select o.order_id as "orderId", o.status, o.occurred_at as "occurredAt", o.updated_at as "updatedAt",
            coalesce((select json_agg(json_build_object('item', l.item_id, 'quantity', l.quantity, 'price', l.price) order by l.item_id)
                        from order_lines l where l.project_id = $1 and l.order_id = o.order_id), '[]') as lines
       from orders o where o.project_id = $1 and o.identity_id = any($2::bigint[])
      order by o.occurred_at desc, o.order_id limit $3`,
    [projectId, identityIds, limit],
  );
  return rows;
}

export interface ImpressionCount {
  /** A day in UTC. */
  day: string;
  /** Empty when unknown. */
  surface: string;
  /** The first position of its bucket; -1 when unknown. */
  bucket: number;
  count: number;
}

/**
 * Returns the impressions of an item, the latest day first. If it has more than `limit` counters, only the largest are
 * returned; the others of a day are added up as impressions of unknown surface and position, so that no sum lacks any.
 */
export async function listImpressions(
  db: Queryable,
  projectId: string,
  item: string,
  { days, limit }: { days: number; limit: number },
): Promise<ImpressionCount[]> {
  const { rows } = await db.query<ImpressionCount>(
    `with counted as (
       select d.day::date as day, c.*, row_number() over (order by c.count desc, d.day desc, c.surface, c.bucket) <= $4 as is_own
         from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date - $3::int, interval '-1 day') as d (day)
        cross join lateral (
          select surface, position_bucket as bucket, count from impression_counts
           where project_id = $1 and day = d.day::date and item_id = $2) as c)
     select day::text as day, case when is_own then surface else '' end as surface, case when is_own then bucket else -1 end as bucket,
            sum(count)::float8 as count
       from counted group by 1, 2, 3 order by 1 desc, 2, 3`,
    [projectId, item, days - 1, limit],
  );
  return rows;
}
