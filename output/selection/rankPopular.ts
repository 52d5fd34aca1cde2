/** What is popular or rises, in a region or everywhere, and what is new where nothing is. */
import { shareOf, trendShare, type Period } from '../../domain/output/popularity.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import type { Catalogue } from './catalogue.ts';
import type { PopularQuestion, RankAnswer } from './messages.ts';
import { pickerOf, type Picker } from './picker.ts';
import { priorsOf, type Priors } from './priors.ts';
import type { RegionCounts } from './regionCounts.ts';
import { TopSlots } from './topSlots.ts';

/** What is new ends where what is popular begins, and this where what was asked for in particular does. */
const NEW_BELOW = 0.1;
const POPULAR_BELOW = 0.5;

type Asked = Pick<PopularQuestion, 'period' | 'trend' | 'region'>;

export function rankPopular(catalogue: Catalogue, question: PopularQuestion): RankAnswer {
  return rankByPopularity(catalogue, question, pickerOf(catalogue, question));
}

/** The same for a question that finds nothing to go by. */
export function rankByPopularity(catalogue: Catalogue, asked: Asked, pick: Picker): RankAnswer {
  const scores = scoresOf(catalogue, asked);
  const { mostFactor } = pick;
  const top = new TopSlots(pick.enough);
  let { bar } = top;
  for (let slot = 0; slot < scores.length; slot += 1) {
    const score = scores[slot] as number;
    // Rules cost more than a comparison: they are asked of what would find room.
    if (score * mostFactor <= bar) continue;
    const item = catalogue.itemAt(slot);
    if (!item || !pick.isAllowed(item)) continue;
    top.offer(slot, pick.scoreOf(item, score));
    ({ bar } = top);
  }
  const { ranked, isAll } = pick.from(top.take());
  return {
    ranked: ranked.map((one) => {
      const slot = catalogue.slotOf(one.id) ?? -1;
      return { ...one, reason: reasonOf(scores[slot] ?? 0, asked), parts: partsOf(catalogue, asked, slot) };
    }),
    model: null,
    mode: 'popular',
    isAll: isAll && !top.isCut,
  };
}

/** The scores of all slots: within each of the three bands by what belongs there. */
function scoresOf(catalogue: Catalogue, { period, trend, region }: Asked): Float64Array {
  const priors = priorsOf(catalogue);
  const counts = region === null ? undefined : catalogue.regions.find(region.key, period);
  if (counts === undefined) return keptScores(priors, period, trend);
  const scores = keptScores(priors, period, false).slice();
  const slots = [...counts.slots()];
  const shares = trend ? trendShares(counts, slots) : totalShares(counts, slots);
  for (const [at, slot] of slots.entries()) {
    const share = shares[at] ?? 0;
    if (share > 0) scores[slot] = particularScore(share);
  }
  return scores;
}

function particularScore(share: number): number {
  return POPULAR_BELOW + (1 - POPULAR_BELOW) * share;
}

function trendShares(counts: RegionCounts, slots: readonly number[]): number[] {
  const trends = slots.map((slot) => counts.trend(slot));
  const most = trends.reduce((largest, trend) => Math.max(largest, trend), 0);
  return trends.map((trend) => trendShare(trend, most));
}

function totalShares(counts: RegionCounts, slots: readonly number[]): number[] {
  const most = counts.most();
  return slots.map((slot) => shareOf(counts.total(slot), most));
}

/** By what the scores are made of, for as long as that holds: everybody who asks for a period gets the same ones. */
const kept = new WeakMap<Priors, Map<string, Float64Array>>();

function keptScores(priors: Priors, period: Period, trend: boolean): Float64Array {
  const made = kept.get(priors) ?? new Map<string, Float64Array>();
  kept.set(priors, made);
  const name = `${period} ${trend}`;
  const known = made.get(name);
  if (known) return known;
  const general = priors.popularity(period);
  const rising = trend ? priors.trend(period) : null;
  const scores = Float64Array.from(general, (popular, slot) => {
    const share = rising?.[slot] ?? 0;
    if (share > 0) return particularScore(share);
    if (popular > 0) return NEW_BELOW + (POPULAR_BELOW - NEW_BELOW) * popular;
    return NEW_BELOW * (priors.recency[slot] ?? 0);
  });
  made.set(name, scores);
  return scores;
}

const DIGITS = 4;

/** Weighted people, everywhere and of the region; and how far it rises. */
function partsOf(catalogue: Catalogue, { period, trend, region }: Asked, slot: number): Record<string, number> {
  const { popularity, regions } = catalogue;
  const counts = region === null ? undefined : regions.find(region.key, period);
  const parts = {
    popularity: popularity.total(slot, period),
    ...(counts && { region: counts.total(slot) }),
    ...(trend && { trend: counts ? counts.trend(slot) : popularity.trend(slot, period) }),
  };
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, Number(value.toFixed(DIGITS))]));
}

function reasonOf(score: number, { trend, region }: Asked): Reason {
  if (score <= NEW_BELOW) return { code: 'new' };
  if (score <= POPULAR_BELOW) return { code: 'popular' };
  const code = trend ? 'trending' : 'region';
  return region === null ? { code } : { code, value: region.value };
}
