/** Keys of the params that sites send, which people choose from when they build reports. */
import type { Queryable } from '../pool.ts';

/**
 * The kinds: `visit` for page views, `event` for events, `visitor` for people; each is a dimension
 * `<kind>_param:<key>`.
 */
const PARAM_KINDS = ['visit', 'event', 'visitor'] as const;
export type ParamKind = (typeof PARAM_KINDS)[number];

export interface ParamKey {
  siteId: string;
  kind: ParamKind;
  key: string;
}

/**
 * Maximum number of keys of one kind: more than anybody chooses from, and a bound for a site that keeps sending new
 * ones.
 */
export const PARAM_KEYS_PER_KIND = 200;
/** Longer texts are not names. */
const MAX_KEY_LENGTH = 100;

/**
 * Stores keys. It does not run in the transaction that stores their values, because two of those would wait for each
 * other. After a failed call the next page view with such a key stores it.
 */
export async function recordParamKeys(db: Queryable, keys: readonly ParamKey[]): Promise<void> {
  const valid = keys.filter(({ key }) => key !== '' && key.length <= MAX_KEY_LENGTH && !key.includes('\0'));
  if (valid.length === 0) return;
  await db.query({
    name: 'site-param-keys-note',
    text: `with named as (
             select distinct site_id, kind, key collate "C" as key from unnest($1::text[], $2::text[], $3::text[]) as n (site_id, kind, key)
           ), judged as (
             select site_id, kind, key, is_known,
                    (select count(*) from site_param_keys s where s.site_id = n.site_id and s.kind = n.kind)
                      + count(*) filter (where not is_known) over (partition by site_id, kind order by key) as ordinal
               from (select named.*, exists (select from site_param_keys s where s.site_id = named.site_id and s.kind = named.kind and s.key = named.key) as is_known
                       from named) n
           )
           insert into site_param_keys as k (site_id, kind, key)
           select site_id, kind, key from judged where is_known or ordinal <= $4 order by site_id, kind, key
           on conflict (site_id, kind, key) do update set seen_on = current_date where k.seen_on < current_date - 7`,
    values: [
      valid.map(({ siteId }) => siteId),
      valid.map(({ kind }) => kind),
      valid.map(({ key }) => key),
      PARAM_KEYS_PER_KIND,
    ],
  });
}

/** Returns the keys of a site by kind, in alphabetical order. */
export async function listParamKeys(db: Queryable, siteId: string): Promise<Record<ParamKind, string[]>> {
  const { rows } = await db.query<{ kind: ParamKind; key: string }>(
    `select kind, key from site_param_keys where site_id = $1 order by kind, key`,
    [siteId],
  );
  const keysOf = (kind: ParamKind): string[] => rows.filter((row) => row.kind === kind).map(({ key }) => key);
  return { visit: keysOf('visit'), event: keysOf('event'), visitor: keysOf('visitor') };
}
