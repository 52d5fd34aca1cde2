/** Ranks popular or rising items, in a region or everywhere, and new items where there are none. */
import { shareOf, trendShare, type Period } from '../../../domain/output/popularity.ts';
import type { Reason } from '../../../domain/output/reasons.ts';
import { beginTotals } from './beginTotals.ts';
import { bestAllowed, orderedScores, type OrderedScores } from './bestAllowed.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PopularQuestion, RankAnswer } from '../../messages/selectionMessages.ts';
import { pickerOf, type Picker } from './allowedPicker.ts';
import type { Priors } from '../catalogue/sharedScores.ts';
import type { RegionCounts } from '../catalogue/regionCounts.ts';
import { Totals } from './scores/scoreTotals.ts';
import { RANKED_DIGITS } from '../../scoreDigits.ts';

/**
 * Score bands: new items are below the first bound, popular ones below the second, and those of the requested region or
 * trend above it. Scores have single precision, and so have the bounds: an item of this moment reaches the first one.
 */
const NEW_BELOW = Math.fround(0.1);
const POPULAR_BELOW = 0.5;

type PopularityCriteria = Pick<PopularQuestion, 'period' | 'trend' | 'region'>;

/** Reused by every ranking: they are computed one at a time. */
const totals = new Totals();

export function rankPopular(catalogue: Catalogue, question: PopularQuestion): RankAnswer {
  return rankByPopularity(catalogue, question, pickerOf(catalogue, question));
}

/** Does the same for other questions that have nothing else to rank by. */
export function rankByPopularity(catalogue: Catalogue, criteria: PopularityCriteria, pick: Picker): RankAnswer {
  const { ranked, isAll } = bestAllowed({ catalogue, pick }, score(catalogue, criteria), totals);
  return {
    ranked: ranked.map((one) => {
      const slot = catalogue.slotOf(one.id) ?? -1;
      return { ...one, reason: reasonOf(totals.of(slot), criteria), parts: partsOf(catalogue, criteria, slot) };
    }),
    model: null,
    mode: (countsOf(catalogue, criteria)?.size ?? 0) > 0 ? 'contextual' : 'popular',
    isAll,
  };
}

/**
 * Scores each item within one of the three bands. @returns the scores that are the same for everybody, without those of
 * a region
 */
function score(catalogue: Catalogue, criteria: PopularityCriteria): OrderedScores {
  const { period, trend } = criteria;
  const priors = catalogue.priors;
  const counts = countsOf(catalogue, criteria);
  const general = cachedScores(priors, period, trend && counts === undefined);
  beginTotals(totals, general, { catalogue, priors, newness: NEW_BELOW });
  if (counts === undefined) return general;
  const slots = [...counts.slots()];
  const shares = trend ? trendShares(counts, slots) : totalShares(counts, slots);
  for (const [at, slot] of slots.entries()) {
    const share = shares[at] ?? 0;
    if (share > 0) totals.set(slot, particularScore(share));
  }
  return general;
}

/** Returns the counts of the requested region; undefined without a region, and while nothing is known about it. */
function countsOf({ regions }: Catalogue, { period, region }: PopularityCriteria): RegionCounts | undefined {
  return region === null ? undefined : regions.find(region.key, period);
}

function particularScore(share: number): number {
  return POPULAR_BELOW + (1 - POPULAR_BELOW) * share;
}

function trendShares(counts: RegionCounts, slots: readonly number[]): number[] {
  const trends = slots.map((slot) => counts.trend(slot));
  const max = trends.reduce((largest, trend) => Math.max(largest, trend), 0);
  return trends.map((trend) => trendShare(trend, max));
}

function totalShares(counts: RegionCounts, slots: readonly number[]): number[] {
  const max = counts.most();
  return slots.map((slot) => shareOf(counts.total(slot), max));
}

/** Returns the scores of a period, which are the same for everybody. */
function cachedScores(priors: Priors, period: Period, trend: boolean): OrderedScores {
  return priors.keep(`popular ${period} ${trend}`, (current) => {
    const rising = trend ? current.trend(period) : null;
    const { recency } = current;
    const scores = current.popularity(period).map((popular, slot) => {
      const share = rising?.[slot] ?? 0;
      if (share > 0) return particularScore(share);
      if (popular > 0) return NEW_BELOW + (POPULAR_BELOW - NEW_BELOW) * popular;
      return NEW_BELOW * (recency[slot] ?? 0);
    });
    return orderedScores(scores);
  });
}

/** Returns the weighted number of people, everywhere and in the region, and the trend. */
function partsOf(catalogue: Catalogue, criteria: PopularityCriteria, slot: number): Record<string, number> {
  const { period, trend } = criteria;
  const { popularity } = catalogue;
  const counts = countsOf(catalogue, criteria);
  const parts = {
    popularity: popularity.total(slot, period),
    ...(counts && { region: counts.total(slot) }),
    ...(trend && { trend: counts ? counts.trend(slot) : popularity.trend(slot, period) }),
  };
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, Number(value.toFixed(RANKED_DIGITS))]));
}

function reasonOf(score: number, { trend, region }: PopularityCriteria): Reason {
  if (score <= NEW_BELOW) return { code: 'new' };
  if (score <= POPULAR_BELOW) return { code: 'popular' };
  const code = trend ? 'trending' : 'region';
  return region === null ? { code } : { code, value: region.value };
}
