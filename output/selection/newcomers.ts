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
  return firstOf(catalogue, MOST_COUNTED, isEligible).flatMap((slot) => catalogue.itemAt(slot) ?? []);
}

/** @param totals the scores of all slots */
export function findNewcomers(
  catalogue: Catalogue,
  pick: Picker,
  totals: Float32Array,
): (Trial & Pick<Newcomer, 'slot' | 'id' | 'score'>)[] {
  const newest = firstOf(
    catalogue,
    MOST_NEWCOMERS,
    (item, slot) => catalogue.trials.impressions(slot) < TRIED_IMPRESSIONS && pick.isAllowed(item),
  );
  const scored = { slots: Uint32Array.from(newest), scores: new Float32Array(newest.length) };
  const found = pick.from(scored).ranked.map(({ id }) => ({ id, slot: catalogue.slotOf(id) ?? 0 }));
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

/** The newest ones that pass, the newest first. */
function firstOf(catalogue: Catalogue, most: number, passes: (item: JudgedItem, slot: number) => boolean): number[] {
  const found: number[] = [];
  for (const slot of recentSlots(catalogue)) {
    if (found.length === most) break;
    const item = catalogue.itemAt(slot);
    if (item && passes(item, slot)) found.push(slot);
  }
  return found;
}

interface Recent {
  slots: Uint32Array;
  changes: number;
  madeAt: number;
}

/** How old the list may be while items change, and while none does. */
const FRESH_MS = { changed: 1_000, unchanged: 60_000 };

const recents = new WeakMap<Catalogue, Recent>();

/** What was published within the last {@link NEW_DAYS}, the newest first. */
function recentSlots(catalogue: Catalogue): Uint32Array {
  const known = recents.get(catalogue);
  const madeAt = performance.now();
  const { changes } = catalogue;
  if (known && madeAt - known.madeAt < FRESH_MS[known.changes === changes ? 'unchanged' : 'changed'])
    return known.slots;
  const since = Date.now() - NEW_DAYS * DAY_MS;
  const { columns } = catalogue;
  const recent: number[] = [];
  for (let slot = 0; slot < catalogue.size; slot += 1) if (columns.publishedAt(slot) >= since) recent.push(slot);
  const slots = Uint32Array.from(recent.sort((a, b) => columns.publishedAt(b) - columns.publishedAt(a) || a - b));
  recents.set(catalogue, { slots, changes, madeAt });
  return slots;
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
