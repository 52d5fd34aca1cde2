/** Keys of sites. Only hashes are stored, except for a tag key, whose text is stored because every page shows it. */
import type pg from 'pg';
import { inTransaction, type Queryable } from '../pool.ts';

export type SiteKeyKind = 'api' | 'tag';

export interface NewSiteKey {
  kind: SiteKeyKind;
  name: string;
  prefix: string;
  hash: Buffer;
  /** The key itself when its kind is tag. */
  publicKey: string | null;
}

export interface StoredSiteKey extends Omit<NewSiteKey, 'hash'> {
  id: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const COLUMNS = `id, kind, name, prefix, public_key as "publicKey", created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/** Maximum number of valid keys of one kind. Limits apply to each key, so this bounds the requests of one site. */
export const KEYS_PER_SITE = 20;

/**
 * Stores a key.
 * @throws {TooManyKeysError} when the site has `KEYS_PER_SITE` valid ones of the kind, even under concurrent requests
 */
export function insertSiteKey(pool: pg.Pool, siteId: string, key: NewSiteKey): Promise<StoredSiteKey> {
  return inTransaction(pool, (client) => addSiteKey(client, siteId, key));
}

/** Stores a key within a transaction, like {@link insertSiteKey}. @throws {TooManyKeysError} */
export async function addSiteKey(client: Queryable, siteId: string, key: NewSiteKey): Promise<StoredSiteKey> {
  // Concurrent requests count one after the other. The lock has a statement of its own, because a statement that waits
  // counts the rows as they were before the wait.
  await client.query('select from sites where id = $1 for no key update', [siteId]);
  const { rows } = await client.query<StoredSiteKey>(
    `insert into site_keys (site_id, kind, name, prefix, hash, public_key)
     select $1, $2, $3, $4, $5, $6
      where (select count(*) from site_keys where site_id = $1 and kind = $2 and revoked_at is null) < ${KEYS_PER_SITE}
     returning ${COLUMNS}`,
    [siteId, key.kind, key.name, key.prefix, key.hash, key.publicKey],
  );
  if (!rows[0]) throw new TooManyKeysError('the site has as many valid keys of this kind as it may: revoke one first');
  return rows[0];
}

export class TooManyKeysError extends Error {
  override readonly name = 'TooManyKeysError';
}

/**
 * Adds a key unless it already exists.
 * @returns false when the key is revoked or belongs to another site, so that it does not work for this one
 */
export async function ensureSiteKey(pool: Queryable, siteId: string, key: NewSiteKey): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into site_keys as k (site_id, kind, name, prefix, hash, public_key) values ($1, $2, $3, $4, $5, $6)
     on conflict (hash) do update set public_key = excluded.public_key
      where k.site_id = excluded.site_id and k.kind = excluded.kind and k.revoked_at is null`,
    [siteId, key.kind, key.name, key.prefix, key.hash, key.publicKey],
  );
  return rowCount === 1;
}

/** Returns keys in order of creation, including revoked ones, after the given id. */
export async function listSiteKeys(
  pool: Queryable,
  siteId: string,
  page: { after: string | null; limit: number },
): Promise<StoredSiteKey[]> {
  const { rows } = await pool.query<StoredSiteKey>(
    `select ${COLUMNS} from site_keys where site_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [siteId, page.after, page.limit],
  );
  return rows;
}

/** Returns the newest valid tag key; null when the site has none. */
export async function findTagKey(pool: Queryable, siteId: string): Promise<string | null> {
  const { rows } = await pool.query<{ publicKey: string }>(
    `select public_key as "publicKey" from site_keys
      where site_id = $1 and kind = 'tag' and revoked_at is null and public_key is not null order by id desc limit 1`,
    [siteId],
  );
  return rows[0]?.publicKey ?? null;
}

/** Revokes a key permanently; a repeated call keeps the time of the first. False when the site has no such key. */
export async function revokeSiteKey(pool: Queryable, siteId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update site_keys set revoked_at = coalesce(revoked_at, now()) where site_id = $1 and id = $2',
    [siteId, keyId],
  );
  return rowCount === 1;
}

/** Records that a key was used, at most once a minute, however many processes call. */
export async function touchSiteKey(pool: Queryable, siteId: string, keyId: string): Promise<void> {
  await pool.query({
    name: 'site-key-touch',
    text: `update site_keys set last_used_at = now()
            where site_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    values: [siteId, keyId],
  });
}

/** Does the same for the intake of the tag, which has only the key's hash. */
export async function touchTagKey(pool: Queryable, hash: Buffer): Promise<void> {
  await pool.query({
    name: 'tag-key-touch',
    text: `update site_keys set last_used_at = now() where hash = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    values: [hash],
  });
}
