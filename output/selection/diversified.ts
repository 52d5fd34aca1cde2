/** The first of a ranking, arranged so that neighbours differ by content. */
import { ARRANGED, diversify } from '../../domain/output/diversity.ts';
import type { Catalogue } from './catalogue.ts';
import type { Ordering, RankAnswer } from './messages.ts';

/** How many a ranking must find so that the first of it can be arranged and `limit` be answered. */
export function neededFor({ diversity, before }: Ordering, limit: number): number {
  return diversity > 0 ? Math.max(limit, ARRANGED - before.length) : limit;
}

/**
 * The best hundred of all pages together are arranged, so what comes before counts: a page goes on as if the pages
 * before it and this one were one.
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
  const alike = likenessIn(catalogue);
  const earlier = before.flatMap((id) => catalogue.slotOf(id) ?? []);
  const order = diversify({
    scores: pool.map(({ score }) => score),
    diversity,
    places,
    before: slots.map((slot) => earlier.reduce((most, other) => Math.max(most, alike(other, slot)), 0)),
    alike: (a, b) => alike(slots[a], slots[b]),
  });
  return [...order.flatMap((at) => pool[at] ?? []), ...ranked.slice(pool.length)];
}

/** The cosine of two slots; 0 for what cannot be compared. It is asked for one slot with all others in turn. */
function likenessIn({ vectors }: Catalogue): (a: number | undefined, b: number | undefined) => number {
  let subject: number | undefined;
  let score: (slot: number) => number = () => 0;
  return (a, b) => {
    if (a === undefined || b === undefined) return 0;
    if (a !== subject) score = vectors.scorer(a);
    subject = a;
    const cosine = score(b);
    return cosine > 0 ? Math.min(1, cosine) : 0;
  };
}
