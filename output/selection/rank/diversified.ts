/** Arranges the first items of a ranking so that neighbours differ in content. */
import { ARRANGED, diversify, raiseTo } from '../../../domain/output/page/diversity.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Ordering, RankAnswer } from '../../messages/selectionMessages.ts';

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
  const likenessTo = catalogue.vectors.among([...slots, ...earlier]);
  const order = diversify({
    scores: pool.map(({ score }) => score),
    diversity,
    places,
    before: nearestOf(slots.length, earlier.length, likenessTo),
    likenessTo,
  });
  return [...order.flatMap((at) => pool[at] ?? []), ...ranked.slice(pool.length)];
}

/** Returns for each of the first entries its similarity to the nearest of the entries after them. */
function nearestOf(count: number, others: number, likenessTo: (entry: number) => ArrayLike<number>): Float64Array {
  const nearest = new Float64Array(count);
  for (let other = count; other < count + others; other += 1) raiseTo(nearest, likenessTo(other));
  return nearest;
}
