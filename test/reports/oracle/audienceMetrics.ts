/** Metrics of people: who they are is said by one audience dimension of the request. */
import type { Group, MetricContext } from './metricContext.ts';
import { distinct, ratio, sumOfLeast } from './sums.ts';
import type { Tuple } from './tuple.ts';

export interface AudienceContext {
  /** What the audience dimension says of a row, and where it is from; null where the request has none, or several. */
  told: ((tuple: Tuple) => { label: string | null; source: string | null }) | null;
  /** Of the row: its value; undefined in the totals. */
  label: string | null | undefined;
  /** The rows of the other dimensions, whatever the audience dimension says. */
  others: () => readonly Tuple[];
  /** Of the whole period: no filters, no segment. */
  everybody: () => readonly Tuple[];
}

type Value = (group: Group, context: MetricContext) => number;

/** Distinct persons, each with the least weight above 0 of its visits among these. */
function peopleOf(tuples: readonly Tuple[], context: MetricContext): number {
  const visits = distinct(tuples, ({ visit }) => visit);
  const personOf = new Map(tuples.map(({ visit, person }) => [visit, person]));
  return sumOfLeast(visits, context, (visit) => personOf.get(visit) ?? null);
}

export const people: Value = (group, context) => peopleOf(group.visit, context);

const isKnown = ({ audience: { told } }: MetricContext) => (tuple: Tuple): boolean => told !== null && told(tuple).label !== null;

export const peopleShare: Value = (group, context) => {
  const { label, others } = context.audience;
  if (label === undefined) return group.visit.some(isKnown(context)) ? 1 : 0;
  if (label === null) return 0;
  return ratio(people(group, context), peopleOf(others().filter(isKnown(context)), context));
};

export const undefinedShare: Value = (_group, context) => {
  const { others } = context.audience;
  const known = isKnown(context);
  return ratio(peopleOf(others().filter((tuple) => !known(tuple)), context), peopleOf(others(), context));
};

export const networkShare: Value = (group, context) => {
  const { told } = context.audience;
  return ratio(peopleOf(group.visit.filter((tuple) => told?.(tuple).source === 'network'), context), people(group, context));
};

export const affinityIndex: Value = (group, context) => {
  const { label, everybody, told } = context.audience;
  if (label === undefined) return 100 * peopleShare(group, context);
  if (label === null) return 0;
  const known = everybody().filter(isKnown(context));
  const share = ratio(peopleOf(known.filter((tuple) => told?.(tuple).label === label), context), peopleOf(known, context));
  return 100 * ratio(peopleShare(group, context), share);
};
