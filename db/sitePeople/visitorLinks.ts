/**
 * Links of visitors to users (site_visitors.user_id). api/collect/checks/userHash.ts decides whether a login proves a
 * link, and resolveChanges.ts what an unproven one may overwrite.
 */
import type { Queryable } from '../pool.ts';

export interface Link {
  visitorId: string;
  userId: string;
}

/** A link as a browser reported it. */
export interface ToldLink extends Link {
  /** Proven by a user_hash. */
  isProven: boolean;
  /**
   * Proven, or reported at a site that requires no proof: only then does it count for the user, and is not merely the
   * visitor's claim.
   */
  isTrusted: boolean;
}

/** SQL condition on a site `s`: the link of its visitor `v` is trusted. */
const isTrustedLink = (visitor: string): string =>
  `(not s.asks_for_proof or ${visitor}.proven_user_id = ${visitor}.user_id)`;

/**
 * SQL of the user who has the values of a site's visitor `v`; null without one. An unproven link to a user does not
 * count where the site has a secret for proofs.
 */
export const TRUSTED_USER = `case when ${isTrustedLink('v')} then v.user_id end`;

/** Returns true when links of the site have to be proven. */
export async function asksForProof(client: Queryable, siteId: string): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'site-asks-for-proof',
    text: 'select from sites where id = $1 and asks_for_proof',
    values: [siteId],
  });
  return rowCount === 1;
}

export interface Linked {
  /** The user who has the visitor's values; null without one, or without the proof that the site requires. */
  userId: string | null;
  /** The user whom the visitor last claimed to be, proven or not. */
  claimedUserId: string | null;
}

/** Returns links by visitor id; unknown visitors are missing. */
export async function readLinks(
  client: Queryable,
  siteId: string,
  visitorIds: readonly string[],
): Promise<Map<string, Linked>> {
  if (visitorIds.length === 0) return new Map();
  const { rows } = await client.query<Linked & { visitorId: string }>({
    name: 'site-links-read',
    text: `select visitor_id as "visitorId", ${TRUSTED_USER} as "userId", v.user_id as "claimedUserId"
             from site_visitors v join sites s on s.id = v.site_id where v.site_id = $1 and v.visitor_id = any($2::uuid[])`,
    values: [siteId, visitorIds],
  });
  return new Map(rows.map(({ visitorId, userId, claimedUserId }) => [visitorId, { userId, claimedUserId }]));
}

/** Links visitors to users, replacing earlier links. */
export async function writeLinks(
  client: Queryable,
  siteId: string,
  links: ReadonlyMap<string, ToldLink>,
): Promise<void> {
  if (links.size === 0) return;
  await client.query({
    name: 'site-links-write',
    text: `update site_visitors set user_id = ($3::text[])[array_position($2::uuid[], visitor_id)],
                  proven_user_id = ($4::text[])[array_position($2::uuid[], visitor_id)]
            where site_id = $1 and visitor_id = any($2::uuid[])`,
    values: [
      siteId,
      [...links.keys()],
      [...links.values()].map(({ userId }) => userId),
      [...links.values()].map(({ userId, isProven }) => (isProven ? userId : null)),
    ],
  });
}

export interface EndedLink extends Link {
  /** When another user was linked to the visitor. */
  at: Date;
}

/**
 * Remembers that visitors were linked to users, for their deletion, and for facts of a user that are reported after
 * another user followed.
 */
export async function rememberLinks(
  client: Queryable,
  siteId: string,
  links: readonly ToldLink[],
  ended: readonly EndedLink[],
): Promise<void> {
  if (links.length === 0) return;
  await client.query({
    name: 'site-links-remember',
    text: `insert into site_visitor_users as u (site_id, visitor_id, user_id, is_proven)
           select $1, l.visitor_id, l.user_id, bool_or(l.is_trusted)
             from unnest($2::uuid[], $3::text[], $4::boolean[]) as l (visitor_id, user_id, is_trusted) group by 2, 3 order by 2, 3
           on conflict (site_id, visitor_id, user_id) do update set ended_at = null, is_proven = u.is_proven or excluded.is_proven
            where u.ended_at is not null or excluded.is_proven and not u.is_proven`,
    values: [
      siteId,
      links.map(({ visitorId }) => visitorId),
      links.map(({ userId }) => userId),
      links.map(({ isTrusted }) => isTrusted),
    ],
  });
  await endLinks(client, siteId, ended);
}

async function endLinks(client: Queryable, siteId: string, ended: readonly EndedLink[]): Promise<void> {
  if (ended.length === 0) return;
  await client.query({
    name: 'site-links-end',
    text: `insert into site_visitor_users as l (site_id, visitor_id, user_id, ended_at)
           select $1, e.visitor_id, e.user_id, max(e.at) from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as e (visitor_id, user_id, at)
            group by e.visitor_id, e.user_id order by 2, 3
           on conflict (site_id, visitor_id, user_id) do update set ended_at = excluded.ended_at`,
    values: [
      siteId,
      ended.map(({ visitorId }) => visitorId),
      ended.map(({ userId }) => userId),
      ended.map(({ at }) => at),
    ],
  });
}

/**
 * Returns the users to whom only this visitor was ever linked; users whom a visitor only claimed to be do not count.
 */
export async function findOnlyUsers(client: Queryable, siteId: string, visitorId: string): Promise<string[]> {
  const { rows } = await client.query<{ userId: string }>({
    name: 'site-only-users',
    text: `select u.user_id as "userId"
             from (select user_id from site_visitor_users where site_id = $1 and visitor_id = $2 and is_proven
                   union select v.user_id from site_visitors v join sites s on s.id = v.site_id
                          where v.site_id = $1 and v.visitor_id = $2 and v.user_id is not null and ${isTrustedLink('v')}) as u
            where (select true from site_visitor_users o where o.site_id = $1 and o.user_id = u.user_id and o.visitor_id <> $2 and o.is_proven limit 1) is null
              and (select true from site_visitors o join sites s on s.id = o.site_id
                    where o.site_id = $1 and o.user_id = u.user_id and o.visitor_id <> $2 and ${isTrustedLink('o')} limit 1) is null`,
    values: [siteId, visitorId],
  });
  return rows.map(({ userId }) => userId);
}

export interface SeenFingerprint {
  fingerprint: string;
  visitorId: string;
  at: Date;
}

/** Records the fingerprints of devices, at sites that use them. */
export async function recordFingerprints(
  client: Queryable,
  siteId: string,
  seen: readonly SeenFingerprint[],
): Promise<void> {
  if (seen.length === 0) return;
  await client.query({
    name: 'site-fingerprints-note',
    text: `insert into site_fingerprints as f (site_id, fingerprint, visitor_id, seen_at)
           select s.id, n.fingerprint, n.visitor_id, max(n.at)
             from sites s cross join unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as n (fingerprint, visitor_id, at)
            where s.id = $1 and s.fingerprints
            group by 1, 2, 3 order by 2, 3
           on conflict (site_id, fingerprint, visitor_id) do update set seen_at = excluded.seen_at
            -- Every page view may bring it again.
            where excluded.seen_at > f.seen_at + interval '1 minute'`,
    values: [
      siteId,
      seen.map(({ fingerprint }) => fingerprint),
      seen.map(({ visitorId }) => visitorId),
      seen.map(({ at }) => at),
    ],
  });
}

/** Returns, by fingerprint, the visitor that was last seen with it; unknown ones are missing. */
export async function findByFingerprints(
  client: Queryable,
  siteId: string,
  fingerprints: readonly string[],
): Promise<Map<string, string>> {
  if (fingerprints.length === 0) return new Map();
  const { rows } = await client.query<{ fingerprint: string; visitorId: string }>({
    name: 'site-fingerprints-find',
    text: `select distinct on (fingerprint) fingerprint, visitor_id as "visitorId" from site_fingerprints
            where site_id = $1 and fingerprint = any($2::uuid[]) order by fingerprint, seen_at desc, visitor_id`,
    values: [siteId, fingerprints],
  });
  return new Map(rows.map(({ fingerprint, visitorId }) => [fingerprint, visitorId]));
}
