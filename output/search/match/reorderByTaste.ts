/** Reorders the first results for one person; nothing is added or removed. */
import { recency } from '../../../domain/output/recency.ts';
import type { Catalogue } from '../../selection/catalogue/catalogue.ts';
import type { Taste } from '../../messages/searchMessages.ts';

/** Number of results that are reordered. */
export const REORDERED = 100;
/** Maximum number of liked items that others are compared with. */
const MAX_LIKED = 50;

/** Relevance of the oldest items relative to the newest, where no query makes some more relevant than others. */
const OLDEST = 0.9;

/**
 * Returns the results in their new order, each with what the taste added to the key that it is sorted by.
 * @param scored the first results in order; their scores may have any scale
 * @param isBrowsing newer items are more relevant; otherwise the taste alone would decide, whatever its weight
 */
export function reorderByTaste(
  catalogue: Catalogue,
  scored: readonly { slot: number; score: number }[],
  { taste, isBrowsing }: { taste: Taste; isBrowsing: boolean },
): { slot: number; score: number; taste: number }[] {
  const affinities = affinitiesOf(
    catalogue,
    scored.map(({ slot }) => slot),
    taste,
  );
  const now = Date.now();
  const newnessOf = (slot: number): number => {
    if (!isBrowsing) return 1;
    const published = catalogue.itemAt(slot)?.publishedAt;
    return published === undefined ? OLDEST : OLDEST + (1 - OLDEST) * recency(published, now);
  };
  const best = Math.max(...scored.map(({ score }) => score), Number.MIN_VALUE);
  return scored
    .map(({ slot, score }, at) => {
      const byTaste = taste.weight * (affinities[at] ?? 0);
      const key = (1 - taste.weight) * (score / best) * newnessOf(slot) + byTaste;
      return { slot, score, taste: byTaste, key };
    })
    .toSorted((a, b) => b.key - a.key);
}

/**
 * Returns the affinity of each slot, 0 to 1: by an author or interest of the person, or by similarity to liked items.
 */
function affinitiesOf(
  catalogue: Catalogue,
  slots: readonly number[],
  { items, authors, interests }: Taste,
): Float64Array {
  const followedAuthors = new Set(authors);
  const followedInterests = new Set(interests);
  const affinities = likenessToLiked(catalogue, slots, items.slice(0, MAX_LIKED));
  for (const [at, slot] of slots.entries()) {
    const item = catalogue.itemAt(slot);
    if (!item) continue;
    const isFollowed = item.author !== null && followedAuthors.has(item.author);
    if (isFollowed || item.interests.some((interest) => followedInterests.has(interest))) affinities[at] = 1;
  }
  return affinities;
}

/** Likeness of two items of an author, whatever their content. */
const SAME_AUTHOR = 0.5;

/** Returns the likeness of each slot to the nearest liked item, which counts by its weight. */
function likenessToLiked(catalogue: Catalogue, slots: readonly number[], items: Taste['items']): Float64Array {
  const liked = items.flatMap(({ id, weight }) => {
    const slot = catalogue.slotOf(id);
    return slot === undefined ? [] : [{ slot, weight }];
  });
  const authorOf = (slot: number): string | null => catalogue.itemAt(slot)?.author ?? null;
  const authors = slots.map(authorOf);
  const maxWeight = Math.max(...liked.map(({ weight }) => weight), Number.MIN_VALUE);
  const cosinesOf = catalogue.vectors.among([...slots, ...liked.map(({ slot }) => slot)]);
  const nearest = new Float64Array(slots.length);
  for (const [index, { slot, weight }] of liked.entries()) {
    const cosines = cosinesOf(slots.length + index);
    const author = authorOf(slot);
    for (let at = 0; at < nearest.length; at += 1) {
      const minLikeness = author !== null && author === authors[at] ? SAME_AUTHOR : 0;
      const likeness = Math.max(cosines[at] || 0, minLikeness) * (weight / maxWeight);
      nearest[at] = Math.max(nearest[at] as number, likeness);
    }
  }
  return nearest;
}
