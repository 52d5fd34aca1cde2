/** The ledger of deletions (domain/privacy/deletionLedger.ts). */
import type { DeletedKind, LedgerEntry } from '../../domain/privacy/deletionLedger.ts';
import { LEDGER_DAYS } from '../../domain/privacy/deletionLedger.ts';
import { arrayParameter } from '../arrays.ts';
import type { Queryable } from '../pool.ts';

/** An entry to be written; one without a time gets that of the database's clock. */
export interface NewLedgerEntry extends Omit<LedgerEntry, 'deletedAt'> {
  deletedAt?: string;
}

/**
 * Records deletions in the caller's transaction. Only the latest deletion of a subject is kept, because it covers the
 * earlier ones.
 */
export async function recordDeletions(client: Queryable, deletions: readonly NewLedgerEntry[]): Promise<void> {
  if (deletions.length === 0) return;
  const entries = [
    ...new Map(deletions.map((entry) => [`${entry.tenantId} ${entry.kind} ${entry.hash}`, entry])).values(),
  ];
  const sorted = entries.toSorted((a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash)));
  await client.query({
    name: 'deletion-ledger-note',
    text: `insert into deletion_ledger as l (tenant_id, kind, subject_hash, deleted_at)
           select e.tenant_id, e.kind, decode(e.hash, 'hex'), coalesce(nullif(e.at, '')::timestamptz, now())
             from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as e (tenant_id, kind, hash, at)
           on conflict (tenant_id, kind, subject_hash) do update set deleted_at = excluded.deleted_at, noted_at = now()
            where excluded.deleted_at > l.deleted_at`,
    values: [
      arrayParameter(sorted.map(({ tenantId }) => tenantId)),
      arrayParameter(sorted.map(({ kind }) => kind)),
      arrayParameter(sorted.map(({ hash }) => hash)),
      arrayParameter(sorted.map(({ deletedAt }) => deletedAt ?? '')),
    ],
  });
}

const ENTRY = `tenant_id as "tenantId", kind, encode(subject_hash, 'hex') as hash,
               to_char(deleted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "deletedAt"`;

/** Returns a page of the whole ledger in key order; `after` is the last entry of the previous page. */
export async function listLedger(db: Queryable, after: LedgerEntry | null, limit: number): Promise<LedgerEntry[]> {
  const { rows } = await db.query<LedgerEntry>(
    `select ${ENTRY} from deletion_ledger
      where $1::text is null or (tenant_id, kind, subject_hash) > ($1, $2, decode($3, 'hex'))
      order by tenant_id, kind, subject_hash limit $4`,
    [after?.tenantId ?? null, after?.kind ?? null, after?.hash ?? null, limit],
  );
  return rows;
}

/** Returns the days (UTC) whose entries were recorded within the given hours, the latest first. */
export async function listRecordedDays(db: Queryable, hours: number): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `select distinct (deleted_at at time zone 'UTC')::date::text as day from deletion_ledger
      where noted_at > now() - $1::int * interval '1 hour' order by day desc`,
    [hours],
  );
  return rows.map(({ day }) => day);
}

export async function listLedgerOfDay(db: Queryable, day: string): Promise<LedgerEntry[]> {
  const { rows } = await db.query<LedgerEntry>(
    `select ${ENTRY} from deletion_ledger
      where deleted_at >= $1::timestamp at time zone 'UTC' and deleted_at < ($1::timestamp + interval '1 day') at time zone 'UTC'`,
    [day],
  );
  return rows;
}

/** Returns the projects or sites for which the ledger has subjects of the given kinds, in order. */
export async function listLedgerTenants(db: Queryable, kinds: readonly DeletedKind[]): Promise<string[]> {
  const { rows } = await db.query<{ tenantId: string }>(
    'select distinct tenant_id as "tenantId" from deletion_ledger where kind = any($1::text[]) order by 1',
    [kinds],
  );
  return rows.map(({ tenantId }) => tenantId);
}

export interface Candidate {
  kind: DeletedKind;
  hash: string;
  /** The earliest time from which data about the subject exists, as PostgreSQL text with its microseconds. */
  since: string;
}

/** Returns the positions of the candidates that already existed when the ledger recorded their deletion. */
export async function findDeleted(
  db: Queryable,
  tenantId: string,
  candidates: readonly Candidate[],
): Promise<number[]> {
  if (candidates.length === 0) return [];
  const { rows } = await db.query<{ index: number }>({
    name: 'deletion-ledger-find',
    text: `select (c.ordinal - 1)::int as index
             from unnest($2::text[], $3::text[], $4::timestamptz[]) with ordinality as c (kind, hash, since, ordinal)
            where (select l.deleted_at from deletion_ledger l
                    where l.tenant_id = $1 and l.kind = c.kind and l.subject_hash = decode(c.hash, 'hex')) >= c.since
            order by c.ordinal`,
    values: [
      tenantId,
      arrayParameter(candidates.map(({ kind }) => kind)),
      arrayParameter(candidates.map(({ hash }) => hash)),
      arrayParameter(candidates.map(({ since }) => since)),
    ],
  });
  return rows.map(({ index }) => index);
}

/** Deletes expired entries, at most `limit` of them; returns how many. */
export async function deleteOldLedgerEntries(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from deletion_ledger where ctid = any(array(
       select ctid from deletion_ledger where deleted_at < now() - $1::int * interval '1 day' limit $2 for update skip locked))`,
    [LEDGER_DAYS, limit],
  );
  return rowCount ?? 0;
}
