/** What a question allows of scored slots. */
import { boostOf, mostBoostOf, scaled } from '../../domain/output/boosts.ts';
import { mayShow, type JudgedItem } from '../../domain/output/mayShow.ts';
import { isSuppressed } from '../../domain/output/similarity.ts';
import type { Catalogue } from './catalogue.ts';
import type { RankedItem, RankQuestion } from './messages.ts';
import { metWith } from './metWith.ts';
import { modelFor } from './modelFor.ts';
import type { ScoredSlots } from './topSlots.ts';

/** Digits of a score that say something: vectors have eight bits a number. */
const SCORE_DIGITS = 4;

export interface Picked {
  ranked: Omit<RankedItem, 'reason'>[];
  /** The list has been looked through to its end. */
  isAll: boolean;
}

export interface Picker {
  isAllowed(item: JudgedItem): boolean;
  /** A ranker's own score of an item, boosted or lowered as the question says. */
  scoreOf(item: JudgedItem, score: number): number;
  /** No score becomes more than so many times what it was. */
  mostFactor: number;
  /** Whether {@link scoreOf} leaves every score as it is. */
  isPlain: boolean;
  /** As many as the question asks for. */
  from(scored: ScoredSlots): Picked;
  /** Slots that are enough for a page when some of them turn out to be suppressed. */
  enough: number;
}

/** With a limit for each author, so many times what is asked for: the best may all be of one. */
const SPARE_FACTOR = 3;

export function pickerOf(catalogue: Catalogue, question: RankQuestion): Picker {
  const { rules, passedOver, suppressed, limit, ordering } = question;
  const { boosts, perAuthor } = ordering;
  const away = new Set(passedOver);
  const lowered = new Map(ordering.lowered);
  const unwanted = suppressed.flatMap((id) => catalogue.slotOf(id) ?? []);
  const shunned = unwanted.flatMap((slot) => catalogue.vectors.at(slot) ?? []);
  // They are few and known beforehand, so they need no spare places as what is like something does.
  for (const slot of metWith(modelFor(catalogue, question), unwanted)) away.add(catalogue.itemAt(slot)?.id ?? '');
  const isAllowed = (item: JudgedItem): boolean => !away.has(item.id) && mayShow(item, rules);
  const isShunned = (slot: number): boolean => {
    const placed = shunned.length > 0 ? catalogue.vectors.at(slot) : null;
    return placed !== null && isSuppressed(placed, shunned);
  };
  const isPlain = boosts.length === 0 && lowered.size === 0;
  const factorOf = (item: JudgedItem): number => boostOf(boosts, item.properties) * (lowered.get(item.id) ?? 1);
  const told = (item: JudgedItem): { factor?: number } => {
    const factor = isPlain ? 1 : factorOf(item);
    return factor === 1 ? {} : { factor };
  };
  return {
    isAllowed,
    scoreOf: (item, score) => (isPlain ? score : scaled(score, factorOf(item))),
    mostFactor: mostBoostOf(boosts),
    isPlain,
    enough: limit * (shunned.length > 0 ? 2 : 1) * (perAuthor === null ? 1 : SPARE_FACTOR),
    from({ slots, scores }) {
      const ranked: Picked['ranked'] = [];
      const isFull = authorLimit(perAuthor);
      let isAll = true;
      for (const [at, slot] of slots.entries()) {
        if (ranked.length >= limit) return { ranked, isAll: false };
        const item = catalogue.itemAt(slot);
        if (!item || !isAllowed(item) || isShunned(slot)) continue;
        if (isFull(item.author)) isAll = false;
        else ranked.push({ id: item.id, score: Number((scores[at] ?? 0).toFixed(SCORE_DIGITS)), ...told(item) });
      }
      return { ranked, isAll };
    },
  };
}

/** Counts an author's items; true for one too many. What has no author is nobody's. */
function authorLimit(most: number | null): (author: string | null) => boolean {
  const counts = new Map<string, number>();
  return (author) => {
    if (most === null || author === null) return false;
    const count = (counts.get(author) ?? 0) + 1;
    counts.set(author, count);
    return count > most;
  };
}
