/** Bounds the processor time of a site's url goals: every page view is matched with all of them, on the thread that ingests everybody's. */
import type { CompilePattern } from '../domain/visits/goals.ts';
import { budgeted, type Budget, type Clocks } from './enrich/budget.ts';
import { remembered } from './enrich/lru.ts';
import { compilePattern } from './pattern.ts';

/**
 * A match of a usual pattern takes some microseconds, so those are never skipped, however fast page views come.
 * A match that takes longer uses up the burst, then a fifth of the time at most.
 */
const MATCHING: Budget = { burstMs: 1_000, share: 0.2, perCallMs: 0.01 };

/** A thread's own clock ticks by milliseconds and costs as much as a match; the time in which others had the core is forgiven by the burst. */
const CLOCKS: Clocks = { now: () => performance.now(), used: () => performance.now() };

const REMEMBERED_SITES = 10_000;

type Match = (isFound: (text: string) => boolean, text: string) => boolean | null;

/**
 * Makes the patterns of a site's goals ready; they share one budget, whenever its settings are read anew.
 * @param onSkipped told of each page view and goal that were not matched for want of time
 */
export function createGoalCompiler(onSkipped: (siteId: string) => void): (siteId: string) => CompilePattern {
  const matchOf = remembered(REMEMBERED_SITES, (_siteId): Match =>
    budgeted((isFound: (text: string) => boolean, text: string) => isFound(text), MATCHING, CLOCKS),
  );
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
