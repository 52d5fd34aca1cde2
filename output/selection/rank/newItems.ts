/** Finds new items that might be tried, and chooses which of them get on a page. */
import {
  drawTrials,
  FIRST_TRIED_POSITION,
  NEW_DAYS,
  randomOf,
  TRIED_IMPRESSIONS,
  type Trial,
} from '../../../domain/output/page/exploration.ts';
import { isEligible, type ItemForRules } from '../../../domain/output/mayShow.ts';
import { TopNumbers } from '../../topNumbers.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { importsSince } from '../catalogue/imports.ts';
import type { FeedQuestion, NextQuestion, RankAnswer, RankedItem } from '../../messages/selectionMessages.ts';
import type { SlotModel } from '../models/slotModel.ts';
import type { Picker } from './allowedPicker.ts';
import type { Totals } from './scores/scoreTotals.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

/** A new item that the question allows. */
export interface Newcomer extends RankedItem, Trial {
  slot: number;
}

/** Maximum number of candidates; the newest suffice for any page. */
const MAX_NEWCOMERS = 50;
/** Maximum number of items whose trials are counted. It is larger, since rules and impressions exclude some. */
const MAX_COUNTED = 300;

/** Returns the newest items that anybody may be shown: those whose trials are counted. */
export function newestItems(catalogue: Catalogue): ItemForRules[] {
  return firstOf(catalogue, MAX_COUNTED, isEligible).flatMap((slot) => catalogue.itemAt(slot) ?? []);
}

/** @param totals the scores of all slots for the question */
export function findNewcomers(
  catalogue: Catalogue,
  pick: Picker,
  totals: Totals,
): (Trial & Pick<Newcomer, 'slot' | 'id' | 'score'>)[] {
  const newest = firstOf(
    catalogue,
    MAX_NEWCOMERS,
    (item, slot) => catalogue.trials.impressions(slot) < TRIED_IMPRESSIONS && pick.isAllowed(item),
  );
  const scored = { slots: Uint32Array.from(newest), scores: new Float32Array(newest.length) };
  const found = pick.from(scored).ranked.map(({ id }) => ({ id, slot: catalogue.slotOf(id) ?? 0 }));
  const best = found.reduce((most, { slot }) => Math.max(most, totals.of(slot)), 0);
  return found.map(({ id, slot }) => ({
    id,
    slot,
    score: totals.of(slot),
    relevance: best > 0 ? Math.max(0, totals.of(slot)) / best : 0,
    impressions: catalogue.trials.impressions(slot),
    opens: catalogue.trials.opens(slot),
  }));
}

/** Returns the newest slots that pass, the newest first. */
function firstOf(catalogue: Catalogue, most: number, passes: (item: ItemForRules, slot: number) => boolean): number[] {
  const { newest, isAll } = recentSlots(catalogue);
  const found = passing(catalogue, newest, most, passes);
  // When none of the listed ones passes, all new items are searched.
  return found.length > 0 || isAll ? found : passing(catalogue, newestSlots(catalogue, catalogue.size), most, passes);
}

function passing(
  catalogue: Catalogue,
  slots: Iterable<number>,
  most: number,
  passes: (item: ItemForRules, slot: number) => boolean,
): number[] {
  const found: number[] = [];
  for (const slot of slots) {
    if (found.length === most) break;
    const item = catalogue.itemAt(slot);
    if (item && passes(item, slot)) found.push(slot);
  }
  return found;
}

interface Recent {
  newest: readonly number[];
  /** The list contains all new items. */
  isAll: boolean;
  /** Number of changes of the catalogue, and of its counts, and the model, when the list was made. */
  changesTaken: number;
  counts: number;
  model: SlotModel | null;
  madeAt: number;
}

/** Maximum age of the list after a change of an item, after a change of a count or of the model, and otherwise. */
const FRESH_MS = { changed: 1_000, counted: 5_000, unchanged: 60_000 };
/** Maximum number of listed items: after an import everything is new, and sorting all of it would delay answers. */
const MAX_LISTED = 4_000;

const recents = new WeakMap<Catalogue, Recent>();

function recentSlots(catalogue: Catalogue): Recent {
  const known = recents.get(catalogue);
  const madeAt = performance.now();
  if (known && madeAt - known.madeAt < FRESH_MS[changeSince(catalogue, known)]) return known;
  const newest = newestSlots(catalogue, MAX_LISTED);
  const { changesTaken, popularity, model } = catalogue;
  const recent = { newest, isAll: newest.length < MAX_LISTED, changesTaken, counts: popularity.changes, model, madeAt };
  recents.set(catalogue, recent);
  return recent;
}

function changeSince(catalogue: Catalogue, { changesTaken, counts, model }: Recent): keyof typeof FRESH_MS {
  if (catalogue.changesTaken !== changesTaken) return 'changed';
  return catalogue.popularity.changes === counts && catalogue.model === model ? 'unchanged' : 'counted';
}

/**
 * Returns slots that are not older than {@link NEW_DAYS} days, the newest first, at most `most`. An item's age counts
 * from its date, or from the first day on which somebody met it, if that is earlier: an import may give a new date to
 * items of which the events of years are known. Those of an import that nobody has met are as old as the others.
 */
function newestSlots(catalogue: Catalogue, most: number): number[] {
  const { columns, popularity, size } = catalogue;
  const since = Date.now() - NEW_DAYS * DAY_MS;
  const isImported = importsSince(catalogue, since);
  const top = new TopNumbers(most);
  for (let slot = 0; slot < size; slot += 1) {
    const publishedAt = columns.publishedAt(slot);
    if (publishedAt < since || (top.isFull && publishedAt <= top.worst)) continue;
    if (popularity.firstMetAt(slot) >= since && !isImported(publishedAt)) top.offer(slot, publishedAt);
  }
  return Array.from(top.ranked().numbers);
}

/**
 * Gives a share of the positions from the third on to new items. A new item takes the score of its position, so that scores
 * stay in descending order.
 */
export function withNewcomers(
  answer: RankAnswer,
  newcomers: readonly Newcomer[],
  { exploration, seed, limit, ordering }: FeedQuestion | NextQuestion,
): RankAnswer {
  if (newcomers.length === 0) return answer;
  const first = ordering.before.length;
  const random = randomOf(seed + first);
  const areTried = answer.ranked.map((_, at) => first + at >= FIRST_TRIED_POSITION && random() < exploration);
  const wanted = areTried.filter(Boolean).length;
  /** An item has a position from the third on only if no new item was tried there. */
  const kept = (item: RankedItem, at: number): RankedItem =>
    first + at >= FIRST_TRIED_POSITION ? { ...item, propensity: 1 - exploration, isTrial: false } : item;
  if (wanted === 0) return { ...answer, ranked: answer.ranked.map(kept) };
  const { tried, chances } = drawTrials(newcomers, wanted, random);
  const away = new Set(tried.map((at) => newcomers[at]?.id));
  const others = answer.ranked.filter(({ id }) => !away.has(id));
  const ranked: RankedItem[] = [];
  let used = 0;
  for (const isTried of areTried) {
    const at = isTried ? tried.shift() : undefined;
    const newcomer = at === undefined ? undefined : newcomers[at];
    const before = ranked.at(-1) ?? others[0];
    if (newcomer) {
      used += 1;
      ranked.push(triedAt(newcomer, before?.score, exploration * (chances[at ?? 0] ?? 0)));
      continue;
    }
    const [item] = others.splice(0, 1);
    // Once all newcomers are used, no new item could have been tried here.
    if (item) ranked.push(used < newcomers.length ? kept(item, ranked.length) : item);
  }
  ranked.push(...others);
  return { ...answer, ranked: ranked.slice(0, limit), isAll: answer.isAll && ranked.length <= limit };
}

function triedAt({ id, score, parts }: Newcomer, scoreBefore: number | undefined, propensity: number): RankedItem {
  return {
    id,
    score: scoreBefore ?? score,
    reason: { code: 'new' },
    ...(parts && { parts }),
    propensity,
    isTrial: true,
  };
}
