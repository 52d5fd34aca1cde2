/** What a question allows of scored slots. */
import { mayShow, type JudgedItem } from '../../domain/output/rules.ts';
import { isSuppressed } from '../../domain/output/similarity.ts';
import type { PlacedItem } from '../../domain/output/vectors.ts';
import type { Catalogue } from './catalogue.ts';
import type { RankedItem, RankQuestion } from './messages.ts';
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
  /** As many as the question asks for. */
  from(scored: ScoredSlots): Picked;
  /** Slots that are enough for a page when some of them turn out to be suppressed. */
  enough: number;
}

export function pickerOf(catalogue: Catalogue, { rules, passedOver, suppressed, limit }: RankQuestion): Picker {
  const away = new Set(passedOver);
  const shunned = suppressed.flatMap((id) => vectorOf(catalogue, id));
  const isAllowed = (item: JudgedItem): boolean => !away.has(item.id) && mayShow(item, rules);
  const isShunned = (slot: number): boolean => {
    const placed = shunned.length > 0 ? catalogue.vectors.at(slot) : null;
    return placed !== null && isSuppressed(placed, shunned);
  };
  return {
    isAllowed,
    enough: shunned.length > 0 ? 2 * limit : limit,
    from({ slots, scores }) {
      const ranked: Picked['ranked'] = [];
      for (const [at, slot] of slots.entries()) {
        if (ranked.length >= limit) return { ranked, isAll: false };
        const item = catalogue.itemAt(slot);
        if (!item || !isAllowed(item) || isShunned(slot)) continue;
        ranked.push({ id: item.id, score: Number((scores[at] ?? 0).toFixed(SCORE_DIGITS)) });
      }
      return { ranked, isAll: true };
    },
  };
}

function vectorOf(catalogue: Catalogue, id: string): PlacedItem[] {
  const slot = catalogue.slotOf(id);
  const placed = slot === undefined ? null : catalogue.vectors.at(slot);
  return placed ? [placed] : [];
}
