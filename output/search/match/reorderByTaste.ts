/** Reorders the first results for one person; nothing is added or removed. */
import { recency } from '../../../domain/output/recency.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import type { Taste } from '../searchMessages.ts';

/** Number of results that are reordered. */
export const REORDERED = 100;
/** Maximum number of liked items that others are compared with. */
const MAX_LIKED = 50;

/** Relevance of the oldest items relative to the newest, where no query makes some more relevant than others. */
const OLDEST = 0.9;

/**
 * @param scored the first results in order; their scores may have any scale
 * @param isBrowsing newer items are more relevant; otherwise the taste alone would decide, whatever its weight
 */
export function reorderByTaste(
  catalogue: Catalogue,
  scored: readonly { slot: number; score: number }[],
  { taste, isBrowsing }: { taste: Taste; isBrowsing: boolean },
): { slot: number; score: number }[] {
  const affinityOf = affinityReader(catalogue, taste);
  const now = Date.now();
  const newnessOf = (slot: number): number => {
    if (!isBrowsing) return 1;
    const published = catalogue.itemAt(slot)?.publishedAt;
    return published === undefined ? OLDEST : OLDEST + (1 - OLDEST) * recency(published, now);
  };
  const best = Math.max(...scored.map(({ score }) => score), Number.MIN_VALUE);
  return scored
    .map(({ slot, score }) => ({
      slot,
      score,
      key: (1 - taste.weight) * (score / best) * newnessOf(slot) + taste.weight * affinityOf(slot),
    }))
    .toSorted((a, b) => b.key - a.key)
    .map(({ slot, score }) => ({ slot, score }));
}

/** Returns the affinity of a slot, 0 to 1: by an author or interest of the person, or by similarity to liked items. */
function affinityReader(catalogue: Catalogue, { items, authors, interests }: Taste): (slot: number) => number {
  const liked = items.slice(0, MAX_LIKED).flatMap(({ id, weight }) => {
    const slot = catalogue.slotOf(id);
    return slot === undefined ? [] : [{ cosineOf: catalogue.vectors.scorer(slot), weight, author: authorOf(slot) }];
  });
  const most = Math.max(...liked.map(({ weight }) => weight), Number.MIN_VALUE);
  const followed = new Set(authors);
  const wanted = new Set(interests);

  function authorOf(slot: number): string | null {
    return catalogue.itemAt(slot)?.author ?? null;
  }

  return (slot) => {
    const item = catalogue.itemAt(slot);
    if (!item) return 0;
    const isWanted =
      (item.author !== null && followed.has(item.author)) || item.interests.some((interest) => wanted.has(interest));
    if (isWanted) return 1;
    return liked.reduce((nearest, { cosineOf, weight, author }) => {
      const cosine = cosineOf(slot);
      const likeness = Math.max(Number.isNaN(cosine) ? 0 : cosine, author !== null && author === item.author ? 0.5 : 0);
      return Math.max(nearest, likeness * (weight / most));
    }, 0);
  };
}
