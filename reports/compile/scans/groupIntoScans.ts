/** Groups the aggregates of a request into as few scans of rows as possible. */
import { usesTerm, type End, type RowLevel } from '../../registry/index.ts';
import { keyOf, type Sql } from '../../sql/index.ts';
import { entityOf, isDistinct, type ResolvedAggregate } from '../request/rowsOfAggregates.ts';
import type { Compilation } from '../context/compileContext.ts';
import { resolvedAtEnd } from '../request/entrancesAndExits.ts';
import type { Population } from '../request/populations.ts';
import type { ResolvedRequest } from '../request/resolvedRequest.ts';
import { kindsOf } from '../request/rowKinds.ts';

/** Aggregates computed by one scan of the rows of a level. */
export interface Scan {
  aggregates: readonly ResolvedAggregate[];
  /** The request; if the scan counts visits by their ends, pages are dimensions of the visit. */
  resolved: ResolvedRequest;
  level: RowLevel;
  population: Population;
  end: End | null;
  /** Whether an aggregate reads attributes of the person, in addition to the keys. */
  usesAttributes: boolean;
  /** The column of the user that a row names, if a sample must find users by it. */
  namedUser: Sql | null;
}

export function scansOf(
  compilation: Compilation,
  resolved: ResolvedRequest,
  all: readonly ResolvedAggregate[],
): Scan[] {
  return grouped(all, ({ level, population, end }) => `${level} ${population} ${end}`).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { level, population, end } = first;
    const usesAttributes = group.some(({ aggregate }) => usesTerm(aggregate, 'attribute'));
    const ofGroup = resolvedAtEnd(resolved, end);
    return byEntity(compilation, ofGroup, group, usesAttributes).map((aggregates) => ({
      aggregates,
      resolved: ofGroup,
      level,
      population,
      end,
      usesAttributes: usesAttributes && aggregates.some(isDistinct),
      namedUser: namedUserOf(compilation, aggregates),
    }));
  });
}

/**
 * With at least this many sums, keeping them beside each person costs more than a second scan of the visits
 * (docs/performance.md).
 */
const MANY_SUMS = 3;

/**
 * Splits aggregates into scans. One scan counts one kind of entity, and the first scan computes the sums as well. Sums
 * get a separate scan in three cases: they are many and need no join; the scan reads attributes of people, and a person
 * with several values has several rows; or the scan finds users by name in a sample, and so reads more rows.
 */
function byEntity(
  compilation: Compilation,
  resolved: ResolvedRequest,
  group: readonly ResolvedAggregate[],
  usesAttributes: boolean,
): ResolvedAggregate[][] {
  const sums = group.filter((one) => !isDistinct(one));
  const [counted = [], ...others] = grouped(group.filter(isDistinct), (one) =>
    [namedUserOf(compilation, [one]), ...entityOf(one)].map((part) => (part === null ? '' : keyOf(part))).join(' '),
  );
  const isOfVisits = group.every(({ level }) => level === 'visit');
  const isApart =
    usesAttributes ||
    namedUserOf(compilation, counted) !== null ||
    (sums.length >= MANY_SUMS && isOfVisits && kindsOf(resolved).length === 0);
  const scans = isApart ? [sums, counted, ...others] : [[...sums, ...counted], ...others];
  return scans.filter(({ length }) => length > 0);
}

/**
 * Returns the column of named users. In a sample of persons, users that rows name are sampled by their own id, so the
 * rows that count for them differ from those that count for their visitors.
 */
function namedUserOf({ sample }: Compilation, aggregates: readonly ResolvedAggregate[]): Sql | null {
  const [found] = aggregates.flatMap(({ aggregate }) =>
    aggregate.kind === 'distinct' && aggregate.namedUser !== undefined ? [aggregate.namedUser] : [],
  );
  return sample === 'persons' ? (found ?? null) : null;
}

const grouped = <T>(items: readonly T[], key: (item: T) => string): T[][] => [...Map.groupBy(items, key).values()];
