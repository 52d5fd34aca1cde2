/** Hides rows and totals about too few people if the request asks about attributes of people. */
import { PERSON, type Aggregate, type RowLevel } from '../registry/index.ts';
import { join, sql, type Sql } from '../sql/index.ts';
import { resolveAggregate, type ResolvedAggregate } from './request/rowsOfAggregates.ts';
import type { Compilation } from './context/compileContext.ts';
import { asksAudience } from './request/peopleNeeds.ts';
import type { ResolvedRequest } from './request/resolvedRequest.ts';
import { asCounted } from './scaleSample.ts';

export interface PeopleThreshold {
  /** Aggregates that count the people, in addition to the requested ones. */
  peopleCounts: ResolvedAggregate[];
  /** The condition that a row or the totals are about enough people; null if any number is enough. */
  hasEnoughPeople: Sql | null;
}

/**
 * Counts the people of each row if the request uses a dimension of the audience anywhere: in its rows, its filters or
 * its segment.
 * @param columns the requested aggregates
 */
export function peopleThresholdOf(
  compilation: Compilation,
  resolved: ResolvedRequest,
  columns: readonly ResolvedAggregate[],
): PeopleThreshold {
  const minPeople = compilation.context.audienceMinPeople;
  if (minPeople <= 1 || !asksAudience(resolved.request)) return { peopleCounts: [], hasEnoughPeople: null };
  const levels = new Set(columns.filter(({ population }) => population === 'row').map(({ level }) => level));
  const peopleCounts = [...levels].map((level, index) => resolveAggregate(resolved, peopleOf(level), `p${index}`));
  // The actual number of people: it ignores their weights and the factor of a sample.
  const counts = peopleCounts.map((one) => asCounted(compilation, one.column));
  return { peopleCounts, hasEnoughPeople: sql`greatest(${join(counts)}) >= ${minPeople}` };
}

const peopleOf = (level: RowLevel): Aggregate => ({
  kind: 'distinct',
  level,
  name: `people of ${level}`,
  entity: [PERSON],
  isUnweighted: true,
});
