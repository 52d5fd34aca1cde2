/** Sites: the tenants of the analytics side. */
import type { RobotRules } from '../../domain/sites/robotRules.ts';
import type { Queryable } from '../pool.ts';
import type { SiteQuotas } from '../../domain/sites/siteQuotas.ts';
import type { SiteLimits } from '../../domain/sites/siteLimits.ts';

export type SiteState = 'active' | 'blocked' | 'deleted';

export interface NewSite {
  id: string;
  clientId: string;
  title: string;
  hosts: readonly string[];
  timezone: string;
  currency: string;
}

export interface StoredSite {
  id: string;
  title: string;
  hosts: string[];
  ignoredReferrers: string[];
  timezone: string;
  currency: string;
  state: SiteState;
  ownerState: 'active' | 'blocked';
  rates: Record<string, number>;
  /** These three hold only what differs from the defaults (domain/sites/siteQuotas.ts, siteLimits.ts, robotRules.ts). */
  quotas: Partial<SiteQuotas>;
  limits: Partial<SiteLimits>;
  robots: Partial<RobotRules>;
  fingerprints: boolean;
  recordings: boolean;
  maskTexts: boolean;
  honourGpc: boolean;
  hasIdentitySecret: boolean;
  requireUserHash: boolean;
  networkEnabled: boolean;
  sensitiveTopics: boolean;
  createdAt: Date;
}

/** A member that is null is reset to its default. */
type Reset<T> = { [K in keyof T]?: T[K] | null };

/** The fields that a change sets; absent fields keep their values. */
export interface SiteChange {
  title?: string;
  hosts?: readonly string[];
  ignoredReferrers?: readonly string[];
  timezone?: string;
  currency?: string;
  state?: SiteState;
  ownerState?: StoredSite['ownerState'];
  /** Replaced entirely. */
  rates?: Record<string, number>;
  /** These three are merged into the stored ones. */
  quotas?: Reset<SiteQuotas>;
  limits?: Reset<SiteLimits>;
  robots?: Reset<RobotRules>;
  fingerprints?: boolean;
  recordings?: boolean;
  maskTexts?: boolean;
  honourGpc?: boolean;
  /** Encrypted; null removes it. */
  identitySecret?: Buffer | null;
  requireUserHash?: boolean;
  networkEnabled?: boolean;
  sensitiveTopics?: boolean;
}

const COLUMNS = `id, title, hosts, ignored_referrers as "ignoredReferrers", timezone, currency, state, owner_state as "ownerState", rates, quotas, limits, robots, fingerprints, recordings,
  mask_texts as "maskTexts", honour_gpc as "honourGpc", identity_secret is not null as "hasIdentitySecret", require_user_hash as "requireUserHash",
  network_enabled as "networkEnabled", sensitive_topics as "sensitiveTopics", created_at as "createdAt"`;

export async function insertSite(client: Queryable, site: NewSite): Promise<StoredSite> {
  const { rows } = await client.query<StoredSite>(
    `insert into sites (id, client_id, title, hosts, timezone, currency) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [site.id, site.clientId, site.title, site.hosts, site.timezone, site.currency],
  );
  if (!rows[0]) throw new Error('a site was inserted but not returned');
  return rows[0];
}

/** Creates a site unless its id is known. A site from before sites had hosts gets the given ones. */
export async function ensureSite(pool: Queryable, site: NewSite): Promise<void> {
  await pool.query(
    `insert into sites (id, client_id, title, hosts, timezone, currency) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set hosts = excluded.hosts, timezone = excluded.timezone, currency = excluded.currency where sites.hosts = '{}'`,
    [site.id, site.clientId, site.title, site.hosts, site.timezone, site.currency],
  );
}

/** Returns null when there is no such site. */
export async function findSite(pool: Queryable, id: string): Promise<StoredSite | null> {
  const { rows } = await pool.query<StoredSite>(`select ${COLUMNS} from sites where id = $1`, [id]);
  return rows[0] ?? null;
}

/** Returns sites in id order, after the given one; only those with the given ids, unless null. */
export async function listSites(
  pool: Queryable,
  page: { after: string | null; limit: number },
  only: readonly string[] | null = null,
): Promise<StoredSite[]> {
  const { rows } = await pool.query<StoredSite>(
    `select ${COLUMNS} from sites where ($1::text is null or id > $1) and ($3::text[] is null or id = any($3)) order by id limit $2`,
    [page.after, page.limit, only],
  );
  return rows;
}

/**
 * Changes the named fields.
 * @param options unlessBlocked: leaves a blocked site as it is
 * @returns null when there is no such site, or when it was left as it is
 */
export async function updateSite(
  pool: Queryable,
  id: string,
  change: SiteChange,
  { unlessBlocked = false } = {},
): Promise<StoredSite | null> {
  const { rows } = await pool.query<StoredSite>(
    `update sites set
            title            = coalesce($3, title),
            hosts            = coalesce($4, hosts),
            timezone         = coalesce($5, timezone),
            currency         = coalesce($6, currency),
            state            = coalesce($7, state),
            owner_state      = coalesce($8, owner_state),
            rates            = coalesce($9, rates),
            quotas           = jsonb_strip_nulls(quotas || coalesce($10, '{}'::jsonb)),
            limits           = jsonb_strip_nulls(limits || coalesce($11, '{}'::jsonb)),
            robots           = jsonb_strip_nulls(robots || coalesce($12, '{}'::jsonb)),
            fingerprints     = coalesce($13, fingerprints),
            recordings       = coalesce($14, recordings),
            network_enabled  = coalesce($15, network_enabled),
            sensitive_topics = coalesce($16, sensitive_topics),
            ignored_referrers = coalesce($17, ignored_referrers),
            mask_texts       = coalesce($18, mask_texts),
            honour_gpc       = coalesce($19, honour_gpc),
            require_user_hash = coalesce($20, require_user_hash),
            identity_secret  = case when $22 then $21 else identity_secret end
      where id = $1 and not ($2 and state = 'blocked') returning ${COLUMNS}`,
    [
      id,
      unlessBlocked,
      ...[
        change.title,
        change.hosts,
        change.timezone,
        change.currency,
        change.state,
        change.ownerState,
        change.rates,
        change.quotas,
        change.limits,
        change.robots,
        change.fingerprints,
        change.recordings,
        change.networkEnabled,
        change.sensitiveTopics,
        change.ignoredReferrers,
        change.maskTexts,
        change.honourGpc,
        change.requireUserHash,
        change.identitySecret,
      ].map((value) => value ?? null),
      change.identitySecret !== undefined,
    ],
  );
  return rows[0] ?? null;
}
