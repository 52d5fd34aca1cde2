/** Rejected events of the last day, up to a limit, for people who look for them in the cabinet. */
import type pg from 'pg';
import { isEventId, isItemId, isWellFormedUser } from '../../domain/events/fieldRules.ts';
import type { EventRejection, EventRejectionCode, SentEvent } from '../../domain/events/validateEvents.ts';
import type { Identifier, IdentityKind } from '../../domain/people/identity.ts';
import { isStorableText } from '../../domain/people/params.ts';
import { arrayParameter } from '../arrays.ts';
import type { Queryable } from '../pool.ts';

/** Maximum number of rows per project: a client that does everything wrong repeats the same errors. */
const MAX_KEPT = 10_000;
const MAX_TYPE = 64;
const KEPT_FOR = '1 day';

export interface StoredRejection {
  receivedAt: Date;
  code: EventRejectionCode;
  eventId: string | null;
  type: string | null;
  item: string | null;
  userId: string | null;
  anonymousId: string | null;
  fingerprint: string | null;
}

/** Stores the rejected events of a request, as long as the project has room. */
export async function keepRejections(
  db: Queryable,
  projectId: string,
  events: readonly SentEvent[],
  rejected: readonly EventRejection[],
): Promise<void> {
  if (rejected.length === 0) return;
  const rows = rejected.flatMap(({ index, code }) => {
    const event = events[index];
    return event ? [rowOf(event, code)] : [];
  });
  const column = (of: (row: (typeof rows)[number]) => string | null) => arrayParameter(rows.map(of));
  await db.query({
    name: 'event-rejections-keep',
    text: `insert into event_rejections (project_id, code, event_id, type, item_id, user_id, anonymous_id, fingerprint)
           select $1, r.code, r.event_id, r.type, r.item_id, r.user_id, r.anonymous_id, r.fingerprint
             from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[])
                  as r (code, event_id, type, item_id, user_id, anonymous_id, fingerprint)
            limit greatest(0, ${MAX_KEPT} - (select count(*) from event_rejections k where k.project_id = $1))`,
    values: [
      projectId,
      column(({ code }) => code),
      column(({ eventId }) => eventId),
      column(({ type }) => type),
      column(({ item }) => item),
      column(({ userId }) => userId),
      column(({ anonymousId }) => anonymousId),
      column(({ fingerprint }) => fingerprint),
    ],
  });
}

function rowOf({ id, type, item, user }: SentEvent, code: EventRejectionCode): Omit<StoredRejection, 'receivedAt'> {
  const isUser = isWellFormedUser(user);
  return {
    code,
    eventId: isEventId(id) ? id : null,
    type: type.length <= MAX_TYPE && isStorableText(type) ? type : null,
    item: isItemId(item) ? item : null,
    userId: isUser ? user.userId : null,
    anonymousId: isUser ? user.anonymousId : null,
    fingerprint: isUser ? user.fingerprint : null,
  };
}

const COLUMN_OF: Record<IdentityKind, string> = {
  user: 'user_id',
  anonymous: 'anonymous_id',
  fingerprint: 'fingerprint::text',
};

export interface RejectionQuery {
  /** Identifiers of one person, whom the rejections name; empty means anybody. */
  identifiers: readonly Identifier[];
  item: string | null;
  type: string | null;
  limit: number;
}

/**
 * Returns the rejections of the last day that name a person by one of the identifiers, an item, or a type; the newest
 * first.
 */
export async function listRejections(
  db: Queryable,
  projectId: string,
  { identifiers, item, type, limit }: RejectionQuery,
): Promise<StoredRejection[]> {
  const named = namesOf(identifiers);
  const { rows } = await db.query<StoredRejection>(
    `select received_at as "receivedAt", code, event_id as "eventId", type, item_id as item, user_id as "userId",
            anonymous_id as "anonymousId", fingerprint
       from event_rejections
      where project_id = $1 and received_at > now() - interval '${KEPT_FOR}' and ($2::text is null or item_id = $2)
        and (cardinality($3::text[] || $4::text[] || $5::text[]) = 0 or ${namedBy('$3', '$4', '$5')})
        and ($7::text is null or type = $7)
      order by id desc limit $6`,
    [projectId, item, ...named, limit, type],
  );
  return rows;
}

/**
 * Deletes rejections that name a person by one of the identifiers. A rejection may name several people, so the rows are
 * locked in one order.
 */
export async function deleteRejections(
  client: pg.PoolClient,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  await client.query({
    name: 'event-rejections-forget',
    text: `with named as materialized (
             select id from event_rejections where project_id = $1 and ${namedBy('$2', '$3', '$4')} order by id for update)
           delete from event_rejections where project_id = $1 and id = any(array(select id from named))`,
    values: [projectId, ...namesOf(identifiers)],
  });
}

function namedBy(users: string, devices: string, fingerprints: string): string {
  const columns = [
    [COLUMN_OF.user, users],
    [COLUMN_OF.anonymous, devices],
    [COLUMN_OF.fingerprint, fingerprints],
  ];
  return `(${columns.map(([column, names]) => `${column} = any(${names}::text[])`).join(' or ')})`;
}

function namesOf(identifiers: readonly Identifier[]): [string[], string[], string[]] {
  const idsOfKind = (kind: IdentityKind): string[] =>
    identifiers.filter((identifier) => identifier.kind === kind).map(({ externalId }) => externalId);
  return [idsOfKind('user'), idsOfKind('anonymous'), idsOfKind('fingerprint')];
}

/** Deletes expired rejections, at most `limit` of them; returns how many. */
export async function deleteOldRejections(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from event_rejections where ctid = any(array(
       select ctid from event_rejections where received_at < now() - interval '${KEPT_FOR}' limit $1 for update skip locked))`,
    [limit],
  );
  return rowCount ?? 0;
}
