/** The settings of a site, shared by the intake, the ingest and the cabinet. */
import type { SiteQuotas } from './siteQuotas.ts';
import type { SiteLimits } from './siteLimits.ts';
import type { RobotRules } from './robotRules.ts';
import type { Goal } from './goalDefinition.ts';

/** The settings of a site for intake and ingest: quotas, limits and rules with the defaults filled in. */
export interface SiteSettings {
  siteId: string;
  /** The user who owns the site, one of several if they share it; null if only administrators manage it. */
  ownerId: string | null;
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
