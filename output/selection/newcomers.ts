/** New items that might be tried, and which of them come to a page. */
import {
  drawTrials,
  FIRST_TRIED_PLACE,
  NEW_DAYS,
  randomOf,
  TRIED_IMPRESSIONS,
  type Trial,
} from '../../domain/output/exploration.ts';
import { isEligible, type JudgedItem } from '../../domain/output/mayShow.ts';
import type { Catalogue } from './catalogue.ts';
import type { FeedQuestion, NextQuestion, RankAnswer, RankedItem } from './messages.ts';
import type { Picker } from './picker.ts';
import { TopSlots } from './topSlots.ts';

/** A new item that the question allows. */
export interface Newcomer extends RankedItem, Trial {
  slot: number;
}

/** The newest are enough for any page. */
const MOST_NEWCOMERS = 50;
/** More than that: rules and impressions leave some of them out. */
const MOST_COUNTED = 300;
const DAY_MS = 86_400_000;

/** The newest items that anybody may be shown, by slot: those whose trials are counted. */
export function newestItems(catalogue: Catalogue): JudgedItem[] {
  const since = Date.now() - NEW_DAYS * DAY_MS;
  const newest = new TopSlots(MOST_COUNTED);
  for (let slot = 0; slot < catalogue.size; slot += 1) {
    const age = catalogue.columns.publishedAt(slot) - since;
    if (age < 0 || newest.isTooLow(age)) continue;
    const item = catalogue.itemAt(slot);
    if (item && isEligible(item)) newest.offer(slot, age);
  }
  return [...newest.take().slots].flatMap((slot) => catalogue.itemAt(slot) ?? []);
}

/** @param totals the scores of all slots */
export function findNewcomers(
  catalogue: Catalogue,
  pick: Picker,
  totals: Float32Array,
): (Trial & Pick<Newcomer, 'slot' | 'id' | 'score'>)[] {
  const since = Date.now() - NEW_DAYS * DAY_MS;
  const newest = new TopSlots(MOST_NEWCOMERS);
  for (let slot = 0; slot < catalogue.size; slot += 1) {
    const age = catalogue.columns.publishedAt(slot) - since;
    if (age < 0 || newest.isTooLow(age) || catalogue.trials.impressions(slot) >= TRIED_IMPRESSIONS) continue;
    const item = catalogue.itemAt(slot);
    if (item && pick.isAllowed(item)) newest.offer(slot, age);
  }
  const found = pick.from(newest.take()).ranked.map(({ id }) => ({ id, slot: catalogue.slotOf(id) ?? 0 }));
  const best = found.reduce((most, { slot }) => Math.max(most, totals[slot] ?? 0), 0);
  return found.map(({ id, slot }) => ({
    id,
    slot,
    score: totals[slot] ?? 0,
    relevance: best > 0 ? Math.max(0, totals[slot] ?? 0) / best : 0,
    impressions: catalogue.trials.impressions(slot),
    opens: catalogue.trials.opens(slot),
  }));
}

/**
 * Gives a share of the places from the third on to new items. Such an item has the score of the place that it comes to,
 * so that scores go on falling.
 */
export function withNewcomers(
  answer: RankAnswer,
  newcomers: readonly Newcomer[],
  { exploration, seed, limit, ordering }: FeedQuestion | NextQuestion,
): RankAnswer {
  const first = ordering.before.length;
  const random = randomOf(seed + first);
  const places = answer.ranked.map((_, at) => first + at >= FIRST_TRIED_PLACE && random() < exploration);
  const wanted = places.filter(Boolean).length;
  if (wanted === 0 || newcomers.length === 0) return answer;
  const { tried, chances } = drawTrials(newcomers, wanted, random);
  const away = new Set(tried.map((at) => newcomers[at]?.id));
  const others = answer.ranked.filter(({ id }) => !away.has(id));
  const ranked: RankedItem[] = [];
  for (const isTried of places) {
    const at = isTried ? tried.shift() : undefined;
    const newcomer = at === undefined ? undefined : newcomers[at];
    const place = ranked.at(-1) ?? others[0];
    if (newcomer) ranked.push(triedAt(newcomer, place?.score, exploration * (chances[at ?? 0] ?? 0)));
    else ranked.push(...others.splice(0, 1));
  }
  ranked.push(...others);
  return { ...answer, ranked: ranked.slice(0, limit), isAll: answer.isAll && ranked.length <= limit };
}

function triedAt({ id, score, parts }: Newcomer, place: number | undefined, propensity: number): RankedItem {
  return { id, score: place ?? score, reason: { code: 'new' }, ...(parts && { parts }), propensity };
}
