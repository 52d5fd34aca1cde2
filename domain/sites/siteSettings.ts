/**
 * The settings of a site, shared by the intake, the ingest and the cabinet. Defaults are those of the API's document.
 */

export interface SiteQuotas {
  /** Per Moscow day. */
  hits_per_day: number;
  recordings_per_day: number;
  /** Megabytes (1024²) of recordings per Moscow day, of the site and of one address. */
  recording_mb_per_day: number;
  recording_mb_per_address: number;
  retention_months: number;
  recording_days: number;
  favourites: number;
  goals: number;
}

export const DEFAULT_QUOTAS: Readonly<SiteQuotas> = {
  hits_per_day: 1_000_000,
  recordings_per_day: 1_000,
  recording_mb_per_day: 4_096,
  recording_mb_per_address: 512,
  retention_months: 13,
  recording_days: 15,
  favourites: 100,
  goals: 200,
};

export interface SiteLimits {
  requests_per_second: number;
  output_per_second: number;
  reports_simultaneous: number;
  reports_per_minute: number;
}

export const DEFAULT_SITE_LIMITS: Readonly<SiteLimits> = {
  requests_per_second: 20,
  output_per_second: 50,
  reports_simultaneous: 2,
  reports_per_minute: 60,
};

/** The signs that mark a robot; a disabled one marks nobody. */
export interface RobotRules {
  user_agents: boolean;
  frequency: boolean;
  no_javascript: boolean;
  data_centres: boolean;
}

export const DEFAULT_ROBOT_RULES: Readonly<RobotRules> = {
  user_agents: true,
  frequency: true,
  no_javascript: true,
  data_centres: true,
};

export const GOAL_TYPES = ['js', 'url', 'event', 'form', 'purchase'] as const;
export type GoalType = (typeof GOAL_TYPES)[number];

export const URL_GOAL_OPS = ['eq', 'contains', 'starts', 'regex'] as const;

/** js and purchase have none; a form goal without form_id matches every form. */
export interface GoalMatch {
  op?: (typeof URL_GOAL_OPS)[number];
  value?: string;
  name?: string;
  form_id?: string;
}

export interface Goal {
  code: string;
  title: string;
  type: GoalType;
  match: GoalMatch | null;
  /** In the site's currency, unless the conversion has its own value. */
  value: number | null;
  enabled: boolean;
}

/** The settings of a site for intake and ingest: quotas, limits and rules with the defaults filled in. */
export interface SiteSettings {
  siteId: string;
  /** The client that owns the site. */
  clientId: string;
  /** `blocked`: the site itself is blocked, or its owner. */
  access: 'open' | 'blocked';
  hosts: readonly string[];
  /** Referrer hosts, with all their subdomains, that continue the visit when the visitor returns from them. */
  ignoredReferrers: readonly string[];
  timezone: string;
  currency: string;
  /** Currency → how much of the site's own currency one unit is worth. */
  rates: Readonly<Record<string, number>>;
  quotas: SiteQuotas;
  limits: SiteLimits;
  robots: RobotRules;
  fingerprints: boolean;
  recordings: boolean;
  /** True when recordings show no text of the pages at all. */
  maskTexts: boolean;
  /** True when visitors whose browser sends Global Privacy Control are not counted. */
  honourGpc: boolean;
  /**
   * The secret of user_hash, encrypted with the purpose `identity-secrets`. Null: links of visitors to users need no
   * proof.
   */
  identitySecret: Buffer | null;
  /** True when a site that has a secret makes no links without a proof. */
  requireUserHash: boolean;
  network: { enabled: boolean; sensitive_topics: boolean };
  goals: readonly Goal[];
}
