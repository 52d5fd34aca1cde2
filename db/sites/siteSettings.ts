/** The settings of a site that the intake, the ingest and the APIs need, with defaults filled in. */
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import type { Queryable } from '../pool.ts';
import { type SiteQuotas, DEFAULT_QUOTAS } from '../../domain/sites/siteQuotas.ts';
import { type SiteLimits, DEFAULT_SITE_LIMITS } from '../../domain/sites/siteLimits.ts';
import { type RobotRules, DEFAULT_ROBOT_RULES } from '../../domain/sites/robotRules.ts';
import type { Goal } from '../../domain/sites/goalDefinition.ts';

interface SettingsRow extends Omit<SiteSettings, 'quotas' | 'limits' | 'robots' | 'network'> {
  quotas: Partial<SiteQuotas>;
  limits: Partial<SiteLimits>;
  robots: Partial<RobotRules>;
  networkEnabled: boolean;
  sensitiveTopics: boolean;
  goals: Goal[];
}

/**
 * A site is open when it, its owner and its client are active. The users of the role `owner` who have the site are
 * owners too, but it closes only when every one of them is blocked.
 */
const ACCESS = `case when s.state = 'active' and s.owner_state = 'active' and c.state = 'active'
         and coalesce((select bool_or(u.state = 'active') from users u where u.role = 'owner' and u.sites @> array[s.id]), true)
       then 'open' else 'blocked' end`;

/** The owner of the site; if there are several, always the same one of them. */
const OWNER = `(select min(u.id::text) from users u where u.role = 'owner' and u.sites @> array[s.id])`;

const COLUMNS = `s.id as "siteId", ${OWNER} as "ownerId", ${ACCESS} as access, s.hosts, s.ignored_referrers as "ignoredReferrers", s.timezone, s.currency, s.rates, s.quotas, s.limits, s.robots, s.fingerprints, s.recordings,
       s.mask_texts as "maskTexts", s.honour_gpc as "honourGpc", s.identity_secret as "identitySecret", s.require_user_hash as "requireUserHash",
       s.network_enabled as "networkEnabled", s.sensitive_topics as "sensitiveTopics",
       (select coalesce(json_agg(json_build_object('code', g.code, 'title', g.title, 'type', g.type, 'match', g.match, 'value', g.value, 'enabled', g.enabled) order by g.code), '[]')
          from site_goals g where g.site_id = s.id) as goals`;

/** Returns the site that a public tag key names; null when the key is unknown or revoked. */
export async function findTagKeySite(pool: Queryable, hash: Buffer): Promise<SiteSettings | null> {
  return (await findKeySite(pool, 'tag', hash))?.settings ?? null;
}

export interface ApiKeySite {
  keyId: string;
  settings: SiteSettings;
}

/** Returns the site of an API key; null when the key is unknown or revoked. */
export function findApiKeySite(pool: Queryable, hash: Buffer): Promise<ApiKeySite | null> {
  return findKeySite(pool, 'api', hash);
}

async function findKeySite(pool: Queryable, kind: 'api' | 'tag', hash: Buffer): Promise<ApiKeySite | null> {
  const { rows } = await pool.query<SettingsRow & { keyId: string }>({
    name: 'site-key-settings',
    text: `select k.id as "keyId", ${COLUMNS}
             from site_keys k
             join sites s on s.id = k.site_id
             join clients c on c.id = s.client_id
            where k.hash = $1 and k.kind = $2 and k.revoked_at is null`,
    values: [hash, kind],
  });
  const [row] = rows;
  return row ? { keyId: row.keyId, settings: withDefaults(row) } : null;
}

/** Returns settings by site id; unknown ids are left out. */
export async function loadSiteSettings(
  pool: Queryable,
  siteIds: readonly string[],
): Promise<Map<string, SiteSettings>> {
  const { rows } = await pool.query<SettingsRow>({
    name: 'site-settings',
    text: `select ${COLUMNS} from sites s join clients c on c.id = s.client_id where s.id = any($1)`,
    values: [siteIds],
  });
  return new Map(rows.map((row) => [row.siteId, withDefaults(row)]));
}

function withDefaults({
  siteId,
  ownerId,
  access,
  hosts,
  ignoredReferrers,
  timezone,
  currency,
  rates,
  fingerprints,
  recordings,
  maskTexts,
  honourGpc,
  identitySecret,
  requireUserHash,
  goals,
  ...row
}: SettingsRow): SiteSettings {
  return {
    siteId,
    ownerId,
    access,
    hosts,
    ignoredReferrers,
    timezone,
    currency,
    rates,
    fingerprints,
    recordings,
    maskTexts,
    honourGpc,
    identitySecret,
    requireUserHash,
    goals,
    quotas: { ...DEFAULT_QUOTAS, ...row.quotas },
    limits: { ...DEFAULT_SITE_LIMITS, ...row.limits },
    robots: { ...DEFAULT_ROBOT_RULES, ...row.robots },
    network: { enabled: row.networkEnabled, sensitive_topics: row.sensitiveTopics },
  };
}
