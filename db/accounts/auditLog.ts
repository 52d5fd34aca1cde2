/** The audit trail of changes made through the cabinet API. */
import type { Scope } from '../../domain/accounts/roles.ts';
import type { Queryable } from '../pool.ts';

export interface AuditEntry {
  userId: string | null;
  tokenId: string | null;
  actor: string;
  ip: string;
  operation: string;
  params: Readonly<Record<string, string>>;
  fields: readonly string[];
  projectId: string | null;
  siteId: string | null;
  status: number;
  requestId: string;
}

export interface StoredAuditEntry extends AuditEntry {
  id: string;
  at: Date;
}

export async function insertAuditEntry(pool: Queryable, entry: AuditEntry): Promise<void> {
  await pool.query({
    name: 'audit-insert',
    text: `insert into audit_log (user_id, token_id, actor, ip, operation, params, fields, project_id, site_id, status, request_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      entry.userId,
      entry.tokenId,
      entry.actor,
      entry.ip,
      entry.operation,
      JSON.stringify(entry.params),
      entry.fields,
      entry.projectId,
      entry.siteId,
      entry.status,
      entry.requestId,
    ],
  });
}

export interface AuditFilter {
  project: string | null;
  site: string | null;
  user: string | null;
  operation: string | null;
  since: Date | null;
  until: Date | null;
}

/**
 * The reader of the trail. A null scope sees everything; anybody else sees entries about their own projects and sites
 * and their own actions.
 */
export interface AuditReader {
  scope: Scope | null;
  userId: string | null;
}

/** Returns the entries before the one with the id `after`, newest first. */
export async function listAuditEntries(
  pool: Queryable,
  { scope, userId }: AuditReader,
  filter: AuditFilter,
  page: { after: string | null; limit: number },
): Promise<StoredAuditEntry[]> {
  const { rows } = await pool.query<StoredAuditEntry>(
    `select id, at, user_id as "userId", token_id as "tokenId", actor, ip, operation, params, fields,
            project_id as "projectId", site_id as "siteId", status, request_id as "requestId"
       from audit_log
      where ($1::uuid is null or id < $1)
        and ($3::text[] is null or project_id = any($3) or site_id = any($4) or user_id = $5)
        and ($6::text is null or project_id = $6) and ($7::text is null or site_id = $7)
        and ($8::uuid is null or user_id = $8) and ($9::text is null or operation = $9)
        and ($10::timestamptz is null or at >= $10) and ($11::timestamptz is null or at < $11)
      order by id desc limit $2`,
    [
      page.after,
      page.limit,
      scope?.projects ?? null,
      scope?.sites ?? null,
      userId,
      filter.project,
      filter.site,
      filter.user,
      filter.operation,
      filter.since,
      filter.until,
    ],
  );
  return rows;
}

/** Removes entries older than `days`, at most `limit` of them; returns how many. */
export async function deleteOldAuditEntries(pool: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from audit_log where id in (
       select id from audit_log where at < now() - make_interval(days => $1) order by id limit $2)`,
    [days, limit],
  );
  return rowCount ?? 0;
}
