/** The events that a project received last, for people who watch them arrive. */
import type { Queryable } from '../pool.ts';
import type { StoredEvent } from './listEvents.ts';

export type LatestEvent = Omit<StoredEvent, 'cursor'>;

/** Maximum number of facts, and of transactions with states, that are searched for events of one type. */
export const MAX_LATEST_FACTS = 20_000;
const MAX_LATEST_STATES = 1_000;

interface LatestQuery {
  /** Null means any type. */
  type: string | null;
  limit: number;
}

/** Returns facts and the states that still count, the one received last first. */
export async function listLatestEvents(db: Queryable, projectId: string, query: LatestQuery): Promise<LatestEvent[]> {
  const [facts, states] = [await listFacts(db, projectId, query), await listStates(db, projectId, query)];
  return [...facts, ...states]
    .toSorted((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime())
    .slice(0, query.limit);
}

const COMMON = `e.type, e.item_id as item, coalesce(u.kind, i.kind) as kind, coalesce(u.external_id, i.external_id) as "externalId",
  e.value, e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.recommendation_id as "recommendationId", e.surface, e.position`;
/** Events of deleted people are not shown, whether or not their rows still exist. */
const JOIN_PEOPLE = `
  join identities i on i.project_id = $1 and i.id = e.identity_id and i.dead_at is null
  left join identities u on u.project_id = $1 and u.id = i.merged_into`;

/** Rows keep the order of the index events_received, so that joining ends at the limit. */
async function listFacts(db: Queryable, projectId: string, { type, limit }: LatestQuery): Promise<LatestEvent[]> {
  const { rows } = await db.query<LatestEvent>(
    `select e.id, ${COMMON}, e.order_id as "orderId", e.quantity, e.price
       from (select * from events where project_id = $1 order by received_at desc, id desc limit ${MAX_LATEST_FACTS}) as e
       ${JOIN_PEOPLE}
      where $2::text is null or e.type = $2
      order by e.received_at desc, e.id desc limit $3`,
    [projectId, type, limit],
  );
  return rows;
}

/** A state that has changed since has another time of receipt, so each is returned once. */
async function listStates(db: Queryable, projectId: string, { type, limit }: LatestQuery): Promise<LatestEvent[]> {
  const { rows } = await db.query<LatestEvent>(
    `select null as id, ${COMMON}, null as "orderId", null as quantity, null as price
       from (select received_at, unnest(identity_ids) as identity_id, unnest(item_ids) as item_id, unnest(types) as type
               from (select * from recent_states where project_id = $1 order by received_at desc limit ${MAX_LATEST_STATES}) r) s
       join event_states e on e.project_id = $1 and e.identity_id = s.identity_id and e.item_id = s.item_id
                          and e.type = s.type and e.received_at = s.received_at
       ${JOIN_PEOPLE}
      where $2::text is null or e.type = $2
      order by e.received_at desc, e.item_id, e.type limit $3`,
    [projectId, type, limit],
  );
  return rows;
}

/** Deletes states older than an hour, those of at most `limit` transactions; returns how many. */
export async function deleteOldRecentStates(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from recent_states where ctid = any(array(
       select ctid from recent_states where received_at < now() - interval '1 hour' limit $1 for update skip locked))`,
    [limit],
  );
  return rowCount ?? 0;
}
