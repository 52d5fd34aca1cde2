/** Caches for a few seconds what the rules need to know about sites. */
import { ACCESS_CHANNEL } from '../../db/accounts/projectKeys.ts';
import { listen } from '../../db/listen.ts';
import type { Queryable } from '../../db/pool.ts';
import { loadSiteSettings } from '../../db/sites/siteSettings.ts';
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import { prepareGoals } from '../../domain/visits/goalConversions.ts';
import { pageParts, type PageParts } from '../../domain/visits/addresses/pageParts.ts';
import type { SiteRules } from '../../domain/visits/siteRulesAndRequest.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { memoise } from './enrich/lru.ts';
import { createGoalCompiler } from './goalBudget.ts';
import { classifySource } from './sources/classify.ts';

/** Longest staleness when a notification is lost. */
const REMEMBER_MS = 5_000;
const REMEMBERED_PAGES = 20_000;

interface Entry {
  rules: SiteRules;
  until: number;
}

export class SiteRulesCache {
  readonly #pool: Queryable;
  readonly #compilerOf: ReturnType<typeof createGoalCompiler>;
  /** Replaced when sites change, so that a look-up that is running then puts nothing into the new one. */
  #entries = new Map<string, Entry>();
  readonly #pageOf: (url: string) => PageParts = memoise(REMEMBERED_PAGES, pageParts);

  /** @param onSkippedGoal called when a page view was not compared with one of its site's goals, for lack of time */
  constructor(pool: Queryable, onSkippedGoal: (siteId: string) => void) {
    this.#pool = pool;
    this.#compilerOf = createGoalCompiler(onSkippedGoal);
  }

  /** Returns rules by site id; ids of unknown sites are left out. */
  async rulesOf(siteIds: readonly string[]): Promise<Map<string, SiteRules>> {
    const now = performance.now();
    const entries = this.#entries;
    const found = new Map<string, SiteRules>();
    for (const siteId of siteIds) {
      const entry = entries.get(siteId);
      // Kept here, because another look-up may remove the entry while this one reads other sites.
      if (entry && entry.until > now) found.set(siteId, entry.rules);
    }
    const missing = siteIds.filter((siteId) => !found.has(siteId));
    if (missing.length === 0) return found;
    for (const siteId of missing) entries.delete(siteId);
    for (const settings of (await loadSiteSettings(this.#pool, missing)).values()) {
      const rules = this.#rulesFor(settings);
      entries.set(settings.siteId, { rules, until: now + REMEMBER_MS });
      found.set(settings.siteId, rules);
    }
    return found;
  }

  invalidate(): void {
    this.#entries = new Map();
  }

  #rulesFor({ siteId, hosts, ignoredReferrers, currency, rates, quotas, robots, goals }: SiteSettings): SiteRules {
    return {
      siteId,
      robots,
      money: { currency, rates },
      hitsPerDay: quotas.hits_per_day,
      goals: prepareGoals(goals, this.#compilerOf(siteId)),
      sourceOf: (url, referrer) => classifySource({ url, referrer, hosts, ignoredReferrers }),
      pageOf: this.#pageOf,
    };
  }
}

/** Invalidates the cache whenever a site, its goals or its owners change. */
export function followChanges(cache: SiteRulesCache, databaseUrl: string, logger: Logger): RunningProcess {
  return listen(
    databaseUrl,
    ACCESS_CHANNEL,
    () => cache.invalidate(),
    (error) => logger.warn({ err: error }, 'the connection for notifications of changed sites is lost'),
  );
}
