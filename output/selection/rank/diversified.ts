/** Arranges the first items of a ranking so that neighbours differ in content. */
import { ARRANGED, diversify } from '../../../domain/output/diversity.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Ordering, RankAnswer } from '../selectionMessages.ts';

/** Returns how many items a ranking must find so that its first ones can be arranged and `limit` returned. */
export function neededFor({ diversity, before }: Ordering, limit: number): number {
  return diversity > 0 ? Math.max(limit, ARRANGED - before.length) : limit;
}

/**
 * Arranges the best hundred of all pages together. The earlier items count, so that consecutive pages are arranged as
 * if they were one.
 */
export function diversified(
  catalogue: Catalogue,
  answer: RankAnswer,
  { ordering, limit }: { ordering: Ordering; limit: number },
): RankAnswer {
  const arranged = arrange(catalogue, answer.ranked, ordering);
  return { ...answer, ranked: arranged.slice(0, limit), isAll: answer.isAll && arranged.length <= limit };
}

function arrange(
  catalogue: Catalogue,
  ranked: RankAnswer['ranked'],
  { diversity, before, places }: Ordering,
): RankAnswer['ranked'] {
  const pool = ranked.slice(0, Math.max(0, ARRANGED - before.length));
  if (diversity <= 0 || pool.length < 2) return ranked;
  const slots = pool.map(({ id }) => catalogue.slotOf(id));
  const earlier = before.map((id) => catalogue.slotOf(id));
  const alike = likenessAmong(catalogue, [...slots, ...earlier]);
  const order = diversify({
    scores: pool.map(({ score }) => score),
    diversity,
    places,
    before: nearestOf(slots.length, earlier.length, alike),
    alike,
  });
  return [...order.flatMap((at) => pool[at] ?? []), ...ranked.slice(pool.length)];
}

/** Returns for each of the first entries its similarity to the nearest of the entries after them. */
function nearestOf(count: number, behind: number, alike: (a: number, b: number) => number): number[] {
  const nearest = Array.from({ length: count }, () => 0);
  for (let other = count; other < count + behind; other += 1)
    for (let entry = 0; entry < count; entry += 1) nearest[entry] = Math.max(nearest[entry] ?? 0, alike(other, entry));
  return nearest;
}

/**
 * Returns the cosine of two slots by their indexes in a list, 0 for slots that cannot be compared. It is called for one
 * slot with all others in turn.
 */
function likenessAmong(
  { vectors }: Catalogue,
  slots: readonly (number | undefined)[],
): (a: number, b: number) => number {
  const cosinesOf = vectors.among(slots);
  let subject = -1;
  let cosines = new Float64Array(0);
  return (a, b) => {
    if (a !== subject) cosines = cosinesOf(a);
    subject = a;
    return Math.min(1, Math.max(0, cosines[b] ?? 0));
  };
}
