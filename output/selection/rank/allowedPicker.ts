/** Picks what a question allows from scored slots. */
import { boostOf, maxBoostOf, scaled } from '../../../domain/output/boosts.ts';
import { mayShow, type ItemForRules } from '../../../domain/output/mayShow.ts';
import { isSuppressed } from '../../../domain/output/similarity/similarity.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RankedItem, RankQuestion } from '../../messages/selectionMessages.ts';
import type { ScoredSlots } from '../vectors/topSlots.ts';
import { RANKED_DIGITS } from '../../scoreDigits.ts';

export interface Picked {
  ranked: Omit<RankedItem, 'reason'>[];
  /** The list was searched to its end. */
  isAll: boolean;
}

export interface Picker {
  isAllowed(item: ItemForRules): boolean;
  /** Returns the ranker's score of an item after the question's boosts and reductions. */
  scoreOf(item: ItemForRules, score: number): number;
  /** Highest factor that a score can be multiplied by. */
  maxFactor: number;
  /** True when {@link scoreOf} leaves every score unchanged. */
  isPlain: boolean;
  /** Returns as many items as the question asks for: {@link limit}. */
  from(scored: ScoredSlots): Picked;
  limit: number;
  /** Number of slots that fill a page even when some turn out to be suppressed. */
  enough: number;
}

/** With a limit per author, this many times as many items are fetched, because the best may all be by one author. */
const SPARE_FACTOR = 3;

export function pickerOf(catalogue: Catalogue, question: RankQuestion): Picker {
  const { rules, passedOver, suppressed, limit, ordering } = question;
  const { boosts, perAuthor } = ordering;
  const passedOverIds = new Set(passedOver);
  const lowered = new Map(ordering.lowered);
  const suppressedVectors = suppressed.flatMap((id) => {
    const slot = catalogue.slotOf(id);
    return slot === undefined ? [] : (catalogue.vectors.at(slot) ?? []);
  });
  const isAllowed = (item: ItemForRules): boolean => !passedOverIds.has(item.id) && mayShow(item, rules);
  const isNearSuppressed = (slot: number): boolean => {
    const placed = suppressedVectors.length > 0 ? catalogue.vectors.at(slot) : null;
    return placed !== null && isSuppressed(placed, suppressedVectors);
  };
  const isPlain = boosts.length === 0 && lowered.size === 0;
  const factorOf = (item: ItemForRules): number => boostOf(boosts, item.properties) * (lowered.get(item.id) ?? 1);
  const explainedFactor = (item: ItemForRules): { factor?: number } => {
    const factor = isPlain ? 1 : factorOf(item);
    return factor === 1 ? {} : { factor };
  };
  return {
    isAllowed,
    scoreOf: (item, score) => (isPlain ? score : scaled(score, factorOf(item))),
    maxFactor: maxBoostOf(boosts),
    isPlain,
    limit,
    enough: limit * (suppressedVectors.length > 0 ? 2 : 1) * (perAuthor === null ? 1 : SPARE_FACTOR),
    from({ slots, scores }) {
      const ranked: Picked['ranked'] = [];
      const isFull = authorLimit(perAuthor);
      let isAll = true;
      for (const [at, slot] of slots.entries()) {
        if (ranked.length >= limit) return { ranked, isAll: false };
        const item = catalogue.itemAt(slot);
        if (!item || !isAllowed(item) || isNearSuppressed(slot)) continue;
        if (isFull(item.author)) isAll = false;
        else
          ranked.push({
            id: item.id,
            score: Number((scores[at] ?? 0).toFixed(RANKED_DIGITS)),
            ...explainedFactor(item),
          });
      }
      return { ranked, isAll };
    },
  };
}

/**
 * Returns a test that counts an author's items; true when the item is one too many. Items without an author are not
 * limited.
 */
function authorLimit(max: number | null): (author: string | null) => boolean {
  const counts = new Map<string, number>();
  return (author) => {
    if (max === null || author === null) return false;
    const count = (counts.get(author) ?? 0) + 1;
    counts.set(author, count);
    return count > max;
  };
}
