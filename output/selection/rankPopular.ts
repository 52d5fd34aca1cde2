/** What is popular or rises, in a region or everywhere, and what is new where nothing is. */
import { shareOf, trendShare } from '../../domain/output/popularity.ts';
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
  const scoreOf = scorerOf(catalogue, asked);
  const top = new TopSlots(pick.enough);
  for (let slot = 0; slot < catalogue.size; slot += 1) {
    const score = scoreOf(slot);
    // Rules cost more than a comparison: they are asked of what would find room.
    if (top.isTooLow(score * pick.mostFactor)) continue;
    const item = catalogue.itemAt(slot);
    if (item && pick.isAllowed(item)) top.offer(slot, pick.scoreOf(item, score));
  }
  const { ranked, isAll } = pick.from(top.take());
  return {
    ranked: ranked.map((one) => {
      const slot = catalogue.slotOf(one.id) ?? -1;
      return { ...one, reason: reasonOf(scoreOf(slot), asked), parts: partsOf(catalogue, asked, slot) };
    }),
    model: null,
    mode: 'popular',
    isAll: isAll && !top.isCut,
  };
}

/** Within each of the three bands by what belongs there. */
function scorerOf(catalogue: Catalogue, { period, trend, region }: Asked): (slot: number) => number {
  const priors = priorsOf(catalogue);
  const counts = region === null ? null : (catalogue.regions.find(region.key, period) ?? null);
  const particular = trend ? trendScorer(priors, counts, period) : regionScorer(counts);
  const general = priors.popularity(period);
  return (slot) => {
    const share = particular(slot);
    if (share > 0) return POPULAR_BELOW + (1 - POPULAR_BELOW) * share;
    const popular = general[slot] ?? 0;
    if (popular > 0) return NEW_BELOW + (POPULAR_BELOW - NEW_BELOW) * popular;
    return NEW_BELOW * (priors.recency[slot] ?? 0);
  };
}

/** From 0 to 1 for what rises most. */
function trendScorer(priors: Priors, counts: RegionCounts | null, period: Asked['period']): (slot: number) => number {
  if (counts === null) {
    const trends = priors.trend(period);
    return (slot) => trends[slot] ?? 0;
  }
  let most = 0;
  for (const slot of counts.slots()) most = Math.max(most, counts.trend(slot));
  return (slot) => trendShare(counts.trend(slot), most);
}

function regionScorer(counts: RegionCounts | null): (slot: number) => number {
  if (counts === null) return () => 0;
  const most = counts.most();
  return (slot) => shareOf(counts.total(slot), most);
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
