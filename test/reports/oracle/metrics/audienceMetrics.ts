/** Metrics of people, whose values are given by one audience dimension of the request. */
import type { Group, MetricContext } from './metricContext.ts';
import { distinct, ratio, sumOfLeast } from './sums.ts';
import type { Tuple } from './tuple.ts';

type Value = (group: Group, context: MetricContext) => number;

/** Counts distinct persons, each with the least weight above 0 of its visits among these. */
function peopleOf(tuples: readonly Tuple[], context: MetricContext): number {
  const visits = distinct(tuples, ({ visit }) => visit);
  const personOf = new Map(tuples.map(({ visit, person }) => [visit, person]));
  return sumOfLeast(visits, context, (visit) => personOf.get(visit) ?? null);
}

export const people: Value = (group, context) => peopleOf(group.visit, context);

const isKnown =
  ({ audience: { told } }: MetricContext) =>
  (tuple: Tuple): boolean =>
    told !== null && told(tuple).label !== null;

export const peopleShare: Value = (group, context) => {
  const { label, others } = context.audience;
  // Rows of weight 0 do not count.
  if (label === undefined) return peopleOf(group.visit.filter(isKnown(context)), context) > 0 ? 1 : 0;
  if (label === null) return 0;
  return ratio(people(group, context), peopleOf(others().filter(isKnown(context)), context));
};

export const undefinedShare: Value = (_group, context) => {
  const { others } = context.audience;
  const known = isKnown(context);
  return ratio(
    peopleOf(
      others().filter((tuple) => !known(tuple)),
      context,
    ),
    peopleOf(others(), context),
  );
};

export const networkShare: Value = (group, context) => {
  const { told } = context.audience;
  return ratio(
    peopleOf(
      group.visit.filter((tuple) => told?.(tuple).source === 'network'),
      context,
    ),
    people(group, context),
  );
};

export const affinityIndex: Value = (group, context) => {
  const { label, everybody, told } = context.audience;
  if (label === undefined) return 100 * peopleShare(group, context);
  if (label === null) return 0;
  const known = everybody().filter(isKnown(context));
  const share = ratio(
    peopleOf(
      known.filter((tuple) => told?.(tuple).label === label),
      context,
    ),
    peopleOf(known, context),
  );
  return 100 * ratio(peopleShare(group, context), share);
};
