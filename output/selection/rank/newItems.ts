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
import { importsSince } from '../catalogue/importedDates.ts';
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
  const best = found.reduce((max, { slot }) => Math.max(max, totals.of(slot)), 0);
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
function firstOf(
  catalogue: Catalogue,
  maxCount: number,
  passes: (item: ItemForRules, slot: number) => boolean,
): number[] {
  const { newest, isAll } = recentSlots(catalogue);
  const found = passing(catalogue, newest, maxCount, passes);
  // When none of the listed ones passes, all new items are searched.
  return found.length > 0 || isAll
    ? found
    : passing(catalogue, newestSlots(catalogue, catalogue.size), maxCount, passes);
}

function passing(
  catalogue: Catalogue,
  slots: Iterable<number>,
  maxCount: number,
  passes: (item: ItemForRules, slot: number) => boolean,
): number[] {
  const found: number[] = [];
  for (const slot of slots) {
    if (found.length === maxCount) break;
    const item = catalogue.itemAt(slot);
    if (item && passes(item, slot)) found.push(slot);
  }
  return found;
}

interface Recent {
  newest: readonly number[];
  /** The list contains all new items. */
  isAll: boolean;
  /**
   * The state of the catalogue when the list was made: the numbers of changes of its items and of its counts, and its
   * model.
   */
  changesApplied: number;
  counts: number;
  model: SlotModel | null;
  madeAt: number;
}

/**
 * Maximum age of the list: `changed` after a change of an item, `counted` after a change of a count or of the model,
 * `unchanged` otherwise.
 */
const FRESH_MS = { changed: 1_000, counted: 5_000, unchanged: 60_000 };
/** Maximum number of listed items: after an import everything is new, and sorting all of it would delay answers. */
const MAX_LISTED = 4_000;

const recents = new WeakMap<Catalogue, Recent>();

function recentSlots(catalogue: Catalogue): Recent {
  const known = recents.get(catalogue);
  const madeAt = performance.now();
  if (known && madeAt - known.madeAt < FRESH_MS[changeSince(catalogue, known)]) return known;
  const newest = newestSlots(catalogue, MAX_LISTED);
  const { changesApplied, popularity, model } = catalogue;
  const recent = {
    newest,
    isAll: newest.length < MAX_LISTED,
    changesApplied,
    counts: popularity.changes,
    model,
    madeAt,
  };
  recents.set(catalogue, recent);
  return recent;
}

function changeSince(catalogue: Catalogue, { changesApplied, counts, model }: Recent): keyof typeof FRESH_MS {
  if (catalogue.changesApplied !== changesApplied) return 'changed';
  return catalogue.popularity.changes === counts && catalogue.model === model ? 'unchanged' : 'counted';
}

/**
 * Returns slots that are not older than {@link NEW_DAYS} days, the newest first, at most `maxCount`. An item's age
 * counts from its date, or from the first day on which somebody met it, if that is earlier: an import may give a new
 * date to items that people have met for years. Items of an import that nobody has met count as old, like the others.
 */
function newestSlots(catalogue: Catalogue, maxCount: number): number[] {
  const { columns, popularity, size } = catalogue;
  const since = Date.now() - NEW_DAYS * DAY_MS;
  const isImported = importsSince(catalogue, since);
  const top = new TopNumbers(maxCount);
  for (let slot = 0; slot < size; slot += 1) {
    const publishedAt = columns.publishedAt(slot);
    if (publishedAt < since || (top.isFull && publishedAt <= top.worst)) continue;
    if (popularity.firstMetAt(slot) >= since && !isImported(publishedAt)) top.offer(slot, publishedAt);
  }
  return Array.from(top.ranked().numbers);
}

/**
 * Gives a share of the positions from the third on to new items. A new item takes the score of its position, so that
 * scores stay in descending order.
 */
export function withNewcomers(
  answer: RankAnswer,
  newcomers: readonly Newcomer[],
  { exploration, seed, limit, ordering }: FeedQuestion | NextQuestion,
): RankAnswer {
  if (newcomers.length === 0) return answer;
  const first = ordering.before.length;
  const random = randomOf(seed + first);
  const isTrialPosition = answer.ranked.map((_, at) => first + at >= FIRST_TRIED_POSITION && random() < exploration);
  const wanted = isTrialPosition.filter(Boolean).length;
  const positions = { first, count: isTrialPosition.length, exploration };
  if (wanted === 0) return { ...answer, ranked: withPropensities(answer.ranked, positions) };
  const trials = drawNewcomers(newcomers, { wanted, exploration }, random);
  const drawn = new Set(trials.map(({ id }) => id));
  const others = answer.ranked.filter(({ id }) => !drawn.has(id));
  const placed = placeTrials(others, trials, isTrialPosition);
  // Once all newcomers are placed, no further one could have been tried.
  const count = trials.length < newcomers.length ? positions.count : placed.findLastIndex(isTried);
  const ranked = withPropensities(placed, { ...positions, count });
  return { ...answer, ranked: ranked.slice(0, limit), isAll: answer.isAll && ranked.length <= limit };
}

/** Draws the newcomers to try, the first one first, each with the probability that a position goes to it. */
function drawNewcomers(
  newcomers: readonly Newcomer[],
  { wanted, exploration }: { wanted: number; exploration: number },
  random: () => number,
): RankedItem[] {
  const { tried, chances } = drawTrials(newcomers, wanted, random);
  return tried.flatMap((at) => {
    const newcomer = newcomers[at];
    if (!newcomer) return [];
    const { id, score, parts } = newcomer;
    const propensity = exploration * (chances[at] ?? 0);
    return [{ id, score, reason: { code: 'new' }, ...(parts && { parts }), propensity, isTrial: true }];
  });
}

/**
 * Fills the positions in order. A position for trials gets the next trial while there are any; every other position
 * gets the next of the other items.
 */
function placeTrials(
  others: readonly RankedItem[],
  trials: readonly RankedItem[],
  isTrialPosition: readonly boolean[],
): RankedItem[] {
  const trialsLeft = [...trials];
  const othersLeft = [...others];
  const ranked: RankedItem[] = [];
  for (const isForTrial of isTrialPosition) {
    const trial = isForTrial ? trialsLeft.shift() : undefined;
    const neighbour = ranked.at(-1) ?? othersLeft[0];
    const item = trial ? { ...trial, score: neighbour?.score ?? trial.score } : othersLeft.shift();
    if (item) ranked.push(item);
  }
  return [...ranked, ...othersLeft];
}

/**
 * Sets the propensity of the items that got their positions because no new item was tried there: from the third
 * position on, as long as one could have been.
 * @param first the position of the first item
 * @param count number of positions at which a new item could have been tried
 */
function withPropensities(
  ranked: readonly RankedItem[],
  { first, count, exploration }: { first: number; count: number; exploration: number },
): RankedItem[] {
  return ranked.map((item, at) =>
    at < count && first + at >= FIRST_TRIED_POSITION && !isTried(item)
      ? { ...item, propensity: 1 - exploration, isTrial: false }
      : item,
  );
}

function isTried({ isTrial }: RankedItem): boolean {
  return isTrial === true;
}
