/**
 * The ledger of deletions: who was deleted, and when, as keyed hashes. Restoring a backup that is older than a deletion
 * brings the person back; the ledger, which outlives the database, lists whom to delete again.
 */
import { createHmac } from 'node:crypto';
import { DAY_MS } from '../timeUnits.ts';

/** Identities of a project's end users, visitors of a site, and users of a site by its own ids. */
const DELETED_KINDS = ['user', 'anonymous', 'fingerprint', 'site-visitor', 'site-user'] as const;
export type DeletedKind = (typeof DELETED_KINDS)[number];

/** Number of days for which an entry is kept. A backup that is older must not be restored. */
export const LEDGER_DAYS = 400;

export interface Subject {
  /** Id of a project or a site. */
  tenantId: string;
  kind: DeletedKind;
  /** The client's or the site's own id, or the visitor's id. */
  id: string;
}

export interface LedgerEntry extends Omit<Subject, 'id'> {
  /** 64 lowercase hex digits. */
  hash: string;
  /** ISO-8601 in UTC, to the microsecond. */
  deletedAt: string;
}

/**
 * Hashes a subject.
 * @param key of purpose `deletion-ledger` (domain/accounts/secretKeys.ts); without it nobody can try ids until one
 * matches
 * @returns 64 lowercase hex digits of HMAC-SHA-256
 */
export function subjectHash(key: Buffer, { tenantId, kind, id }: Subject): string {
  return createHmac('sha256', key).update(`${tenantId}\0${kind}\0${id}`).digest('hex');
}

/** Returns one entry as a line of a file: `<time> <kind> <tenant> <hash>`. */
export function ledgerLine({ deletedAt, kind, tenantId, hash }: LedgerEntry): string {
  return `${deletedAt} ${kind} ${tenantId} ${hash}`;
}

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z-]+) ([A-Za-z0-9_-]{1,64}) ([0-9a-f]{64})$/;

/** Parses a file of the ledger. @throws {Error} with the number of the first invalid line */
export function parseLedger(text: string): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, deletedAt = '', kindText, tenantId = '', hash = ''] = LINE.exec(line.trim()) ?? [];
    const kind = DELETED_KINDS.find((known) => known === kindText);
    if (kind === undefined) throw new Error(`line ${index + 1} is not an entry of a ledger of deletions`);
    entries.push({ deletedAt, kind, tenantId, hash });
  }
  return entries;
}

/**
 * Returns the key of the blob that holds the entries of one day (UTC, `2026-11-22`), so that no listing of blobs is
 * needed.
 */
export function ledgerBlobKey(day: string): string {
  return `deletions/${day}.txt`;
}

/** Returns the days of the ledger until now, the latest first, in the form that {@link ledgerBlobKey} accepts. */
export function ledgerDays(now: Date): string[] {
  // A clock may be ahead, so one future day is included.
  return Array.from({ length: LEDGER_DAYS + 1 }, (_, back) =>
    new Date(now.getTime() - (back - 1) * DAY_MS).toISOString().slice(0, 10),
  );
}
