/** Keys of sites: only hashes are stored, and of a tag key, which every page of the site shows, its text. */
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

/** Valid keys of one kind: limits are counted for each key, so their number bounds what one site may ask for. */
export const KEYS_PER_SITE = 20;

/** Stores a key. @throws {TooManyKeys} when the site has `KEYS_PER_SITE` valid ones of the kind, however many come at once */
export function insertSiteKey(pool: pg.Pool, siteId: string, key: NewSiteKey): Promise<StoredSiteKey> {
  return inTransaction(pool, (client) => addSiteKey(client, siteId, key));
}

/** The same within a transaction. @throws {TooManyKeys} */
export async function addSiteKey(client: Queryable, siteId: string, key: NewSiteKey): Promise<StoredSiteKey> {
  // Two requests at once count one after the other: a statement that waits would count what was before.
  await client.query('select from sites where id = $1 for no key update', [siteId]);
  const { rows } = await client.query<StoredSiteKey>(
    `insert into site_keys (site_id, kind, name, prefix, hash, public_key)
     select $1, $2, $3, $4, $5, $6
      where (select count(*) from site_keys where site_id = $1 and kind = $2 and revoked_at is null) < ${KEYS_PER_SITE}
     returning ${COLUMNS}`,
    [siteId, key.kind, key.name, key.prefix, key.hash, key.publicKey],
  );
  if (!rows[0]) throw new TooManyKeys('the site has as many valid keys of this kind as it may: revoke one first');
  return rows[0];
}

export class TooManyKeys extends Error {
  override readonly name = 'TooManyKeys';
}

/**
 * Adds a key unless it is there already.
 * @returns false when the key is revoked or belongs to another site: it opens nothing here
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

/** Keys in order of creation, revoked ones included, after the given id. */
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

/** The newest tag key that works; null when the site has none. */
export async function findTagKey(pool: Queryable, siteId: string): Promise<string | null> {
  const { rows } = await pool.query<{ publicKey: string }>(
    `select public_key as "publicKey" from site_keys
      where site_id = $1 and kind = 'tag' and revoked_at is null and public_key is not null order by id desc limit 1`,
    [siteId],
  );
  return rows[0]?.publicKey ?? null;
}

/** Revokes a key for good; a repeat keeps the first time. False when the site has no such key. */
export async function revokeSiteKey(pool: Queryable, siteId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update site_keys set revoked_at = coalesce(revoked_at, now()) where site_id = $1 and id = $2',
    [siteId, keyId],
  );
  return rowCount === 1;
}

/** Notes that a key was used, at most once a minute whatever number of processes ask. */
export async function touchSiteKey(pool: Queryable, siteId: string, keyId: string): Promise<void> {
  await pool.query({
    name: 'site-key-touch',
    text: `update site_keys set last_used_at = now()
            where site_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    values: [siteId, keyId],
  });
}

/** The same for who has only the key's hash: the intake of the tag. */
export async function touchTagKey(pool: Queryable, hash: Buffer): Promise<void> {
  await pool.query({
    name: 'tag-key-touch',
    text: `update site_keys set last_used_at = now() where hash = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    values: [hash],
  });
}
