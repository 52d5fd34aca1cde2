/**
 * Limits the processor time of url goals: every page view is matched with all url goals of its site, on the thread that
 * ingests every site.
 */
import type { CompilePattern } from '../../domain/visits/goalConversions.ts';
import { createFrequentClocks, TimeLeft, type Budget, type Clocks } from './enrich/timeBudget.ts';
import { memoise } from './enrich/lru.ts';
import { compilePattern } from './compilePattern.ts';

/**
 * A match of an ordinary pattern takes a few microseconds; such matches are never skipped, at any rate of page views.
 */
const FREE_MS = 0.01;

/**
 * A match that takes this much processor time is charged for all the time for which it held up the other sites. A
 * cheaper one is charged only for its processor time: if it took longer than that, other processes had the core
 * meanwhile, which is not the fault of its pattern.
 */
const COSTLY_MS = 1;

/** Slower matches first use up their site's burst, and after that may take at most a fifth of the time. */
const SITE_BUDGET: Budget = { burstMs: 1_000, share: 0.2, perCallMs: FREE_MS };

/** Limit for all sites together, in addition to the free time, however many sites have costly patterns. */
const SHARED_BUDGET: Budget = { burstMs: 500, share: 0.25 };

/**
 * Budget of a site once the shared one is empty, so that only sites with costly patterns suffer. The burst covers
 * pauses of the thread that are charged because they are too short to be recognised (enrich/timeBudget.ts).
 */
const FALLBACK_BUDGET: Budget = { burstMs: 20, share: 0, perCallMs: FREE_MS };

const REMEMBERED_SITES = 10_000;

type Matcher = (text: string) => boolean;
/** Returns null when there was no time for the match. */
type Match = (isFound: Matcher, text: string) => boolean | null;

/**
 * Compiles the patterns of a site's goals; they share one budget, which survives a reload of the settings.
 * @param onSkipped called for each pair of page view and goal that was not matched for lack of time
 */
export function createGoalCompiler(
  onSkipped: (siteId: string) => void,
  clocks: Clocks = createFrequentClocks(),
): (siteId: string) => CompilePattern {
  const ofAll = new TimeLeft(SHARED_BUDGET, clocks);
  const matchOf = memoise(REMEMBERED_SITES, (_siteId) => matchWithin(ofAll, clocks));
  return (siteId) => (pattern) => {
    const isFound = compilePattern(pattern);
    const match = matchOf(siteId);
    return (text) => {
      const found = match(isFound, text);
      if (found === null) onSkipped(siteId);
      return found ?? false;
    };
  };
}

/** Matches for one site, within its own budget and the shared one. */
function matchWithin(ofAll: TimeLeft, clocks: Clocks): Match {
  const ofSite = new TimeLeft(SITE_BUDGET, clocks);
  const fallback = new TimeLeft(FALLBACK_BUDGET, clocks);
  return (isFound, text) => {
    const [isLeft, hasFallbackTime, isLeftOfAll] = [ofSite.call(), fallback.call(), ofAll.call()];
    if (!isLeft || !(hasFallbackTime || isLeftOfAll)) return null;
    const [began, before] = [clocks.now(), clocks.used()];
    const found = isFound(text);
    // `used` may go back a little when the thread's own clock is read.
    const ownMs = Math.max(0, clocks.used() - before);
    const usedMs = ownMs < COSTLY_MS ? ownMs : clocks.now() - began;
    ofSite.spend(usedMs);
    if (isLeftOfAll) ofAll.spend(Math.max(0, usedMs - FREE_MS));
    else fallback.spend(usedMs);
    return found;
  };
}
