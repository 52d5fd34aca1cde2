/** Sites of the analytics side and their keys: only hashes are stored. */
import type { Queryable } from './pool.ts';

export type SiteKeyKind = 'api' | 'tag';

/** Creates a site unless its id is known. */
export async function ensureSite(pool: Queryable, site: { id: string; clientId: string; title: string }): Promise<void> {
  await pool.query('insert into sites (id, client_id, title) values ($1, $2, $3) on conflict do nothing', [site.id, site.clientId, site.title]);
}

/**
 * Adds a key unless it is there already.
 * @returns false when the key is revoked or belongs to another site: it opens nothing here
 */
export async function ensureSiteKey(
  pool: Queryable, siteId: string, key: { kind: SiteKeyKind; name: string; prefix: string; hash: Buffer },
): Promise<boolean> {
  const { rows } = await pool.query<{ opens: boolean }>(
    `with added as (
       insert into site_keys (site_id, kind, name, prefix, hash) values ($1, $2, $3, $4, $5) on conflict do nothing returning true as opens)
     select opens from added
     union all select site_id = $1 and kind = $2 and revoked_at is null from site_keys where hash = $5`,
    [siteId, key.kind, key.name, key.prefix, key.hash],
  );
  return rows[0]?.opens ?? false;
}
