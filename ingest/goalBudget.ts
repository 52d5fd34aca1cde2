/** Bounds the processor time of url goals: every page view is matched with all of its site's, on the thread that ingests everybody's. */
import type { CompilePattern } from '../domain/visits/goals.ts';
import { TimeLeft, type Budget, type Clocks } from './enrich/budget.ts';
import { remembered } from './enrich/lru.ts';
import { compilePattern } from './pattern.ts';

/** A match of a usual pattern takes some microseconds: those are never skipped, however fast page views come. */
const FREE_MS = 0.01;

/** A match that takes longer uses up the burst of its site, then a fifth of the time at most. */
const OF_SITE: Budget = { burstMs: 1_000, share: 0.2, perCallMs: FREE_MS };

/** Matches of all sites together take no more than this beyond what is free, however many sites have costly patterns. */
const OF_ALL: Budget = { burstMs: 500, share: 0.25 };

/**
 * What a site may still use when nothing of that is left, so that only sites with costly patterns pay for it. The burst
 * forgives a pause of the process.
 */
const USUAL: Budget = { burstMs: 20, share: 0, perCallMs: FREE_MS };

/** A thread's own clock ticks by milliseconds and costs as much as a match; the time in which others had the core is forgiven by the bursts. */
const CLOCKS: Clocks = { now: () => performance.now(), used: () => performance.now() };

const REMEMBERED_SITES = 10_000;

type IsFound = (text: string) => boolean;
/** Null: there was no time for it. */
type Match = (isFound: IsFound, text: string) => boolean | null;

/**
 * Makes the patterns of a site's goals ready; they share one budget, whenever its settings are read anew.
 * @param onSkipped told of each page view and goal that were not matched for want of time
 */
export function createGoalCompiler(
  onSkipped: (siteId: string) => void,
  clocks: Clocks = CLOCKS,
): (siteId: string) => CompilePattern {
  const ofAll = new TimeLeft(OF_ALL, clocks);
  const matchOf = remembered(REMEMBERED_SITES, (_siteId) => matchWithin(ofAll, clocks));
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

/** Matches for one site, within its own budget and that of all sites. */
function matchWithin(ofAll: TimeLeft, clocks: Clocks): Match {
  const ofSite = new TimeLeft(OF_SITE, clocks);
  const usual = new TimeLeft(USUAL, clocks);
  return (isFound, text) => {
    const [isLeft, isUsual, isLeftOfAll] = [ofSite.call(), usual.call(), ofAll.call()];
    if (!isLeft || !(isUsual || isLeftOfAll)) return null;
    const before = clocks.used();
    const found = isFound(text);
    const usedMs = clocks.used() - before;
    ofSite.spend(usedMs);
    if (isLeftOfAll) ofAll.spend(Math.max(0, usedMs - FREE_MS));
    else usual.spend(usedMs);
    return found;
  };
}
