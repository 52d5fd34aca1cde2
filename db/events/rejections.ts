/** Rejected events of the last day, up to a limit, for people who look for them in the cabinet. */
import type pg from 'pg';
import { isEventId, isItemId, isWellFormedUser } from '../../domain/events/fieldRules.ts';
import type { EventRejection, EventRejectionCode, SentEvent } from '../../domain/events/validateEvents.ts';
import type { Identifier, IdentityKind } from '../../domain/people/identity.ts';
import { isStorableText } from '../../domain/people/params.ts';
import { arrayParameter } from '../arrays.ts';
import { inTransaction, type Queryable } from '../pool.ts';

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

/**
 * A deletion up to this long before a request is looked for too: it is committed a little after its job is opened, and
 * the request's own time is not the database's.
 */
const CLOCK_SLACK_MS = 1_000;

/**
 * The identifiers of people who were deleted in the last $9 milliseconds; null for those that their purge has removed
 * already. Jobs of deletions stay open for longer than a request takes (db/people/purge.ts).
 */
const DELETED = `
  select i.kind, i.external_id
    from jobs j cross join lateral (
      select kind, external_id from identities where project_id = $1 and id = j.entity_id::bigint
      union all
      select kind, external_id from identities where project_id = $1 and merged_into = j.entity_id::bigint) i
   where j.project_id = $1 and j.kind = 'user-delete' and j.created_at > clock_timestamp() - $9 * interval '1 millisecond'`;

/**
 * Stores the rejected events of a request, as long as the project has room. Those that name somebody who was deleted
 * since the request began are left out, because the deletion has not found them. A deletion at this moment either waits,
 * and finds what is stored here, or comes first and is seen here.
 * @param begunAt when the request began, by `performance.now()`
 */
export async function keepRejections(
  pool: pg.Pool,
  projectId: string,
  { events, rejected, begunAt }: { events: readonly SentEvent[]; rejected: readonly EventRejection[]; begunAt: number },
): Promise<void> {
  if (rejected.length === 0) return;
  const rows = rejected.flatMap(({ index, code }) => {
    const event = events[index];
    return event ? [rowOf(event, code)] : [];
  });
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [lockKey(projectId)]);
    await insertRejections(client, projectId, rows, performance.now() - begunAt + CLOCK_SLACK_MS);
  });
}

const lockKey = (projectId: string): string => `event-rejections/${projectId}`;

type RejectionRow = Omit<StoredRejection, 'receivedAt'>;

async function insertRejections(
  client: Queryable,
  projectId: string,
  rows: readonly RejectionRow[],
  sinceMs: number,
): Promise<void> {
  const column = (of: (row: RejectionRow) => string | null) => arrayParameter(rows.map(of));
  await client.query({
    name: 'event-rejections-keep',
    text: `with deleted as materialized (${DELETED})
           insert into event_rejections (project_id, code, event_id, type, item_id, user_id, anonymous_id, fingerprint)
           select $1, r.code, r.event_id, r.type, r.item_id, r.user_id, r.anonymous_id, r.fingerprint
             from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[])
                  as r (code, event_id, type, item_id, user_id, anonymous_id, fingerprint)
            where not exists (select from deleted d where d.external_id is null
              or (d.kind, d.external_id) in (('user', r.user_id), ('anonymous', r.anonymous_id), ('fingerprint', r.fingerprint::text)))
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
      Math.ceil(sinceMs),
    ],
  });
}

function rowOf({ id, type, item, user }: SentEvent, code: EventRejectionCode): RejectionRow {
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
 * locked in one order. Others that are being stored at this moment are awaited ({@link keepRejections}).
 */
export async function deleteRejections(
  client: pg.PoolClient,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKey(projectId)]);
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
