/** Conditions of segments, each evaluated separately for one visit. */
import type { VisitRow } from '../../../domain/reports/lakeRows.ts';
import type { Condition, Segment } from '../../../reports/reportRequest.ts';
import { compares, passes } from './comparison.ts';
import { labelOf } from './dimensions.ts';
import { inPlayOf, tuplesOf, visitTuples } from './flatten.ts';
import type { Group, MetricContext } from './metrics/metricContext.ts';
import { metricOf } from './metrics/metrics.ts';
import { UNWEIGHTED } from './metrics/sums.ts';
import { BASES, type LabelContext, type Tuple } from './metrics/tuple.ts';
import type { SiteView } from './world/world.ts';

export interface SegmentContext {
  view: SiteView;
  labels: LabelContext;
  /** The data that the metrics of one visit need. */
  metrics: Pick<MetricContext, 'money' | 'days'>;
}

export function meets(visit: VisitRow, condition: Condition, context: SegmentContext): boolean {
  if ('all' in condition) return condition.all.every((part) => meets(visit, part, context));
  if ('any' in condition) return condition.any.some((part) => meets(visit, part, context));
  if ('not' in condition) return !meets(visit, condition.not, context);
  if ('metric' in condition)
    return compares(metricOfVisit(visit, condition.metric, context), condition.op, condition.value);
  const tuples = visitTuples(context.view, visit, inPlayOf([condition.dimension]));
  return tuples.some((tuple) => passes(labelOf(condition.dimension, tuple, context.labels), condition));
}

/** Computes an unweighted metric; the visit's conversions and orders count at any time. */
function metricOfVisit(visit: VisitRow, id: string, { view, metrics }: SegmentContext): number {
  const { metric, goal } = metricOf(id);
  const population = {
    visits: [visit],
    conversions: view.conversionsOf(visit),
    orders: view.ordersOf(visit),
    lines: view.linesOf(visit),
  };
  const group = Object.fromEntries(
    BASES.map((base) => [base, tuplesOf(view, base, population, inPlayOf([]))]),
  ) as unknown as Group;
  return metric.value(
    group,
    {
      ...metrics,
      view,
      seesHits: false,
      weightOf: UNWEIGHTED,
      wideVisits: () => [visit],
      onMissingRate: () => {},
      audience: { told: null, label: undefined, others: () => [], everybody: () => [] },
    },
    goal,
  );
}

/** The rows that are in a segment. */
export interface Membership {
  hasVisit(visit: VisitRow): boolean;
  hasFact(tuple: Pick<Tuple, 'visit'> & { visitorId: string | null }): boolean;
}

/** @param periodVisits those that started in the period and that `robots` admits */
export function membershipOf(
  segment: Segment | null,
  periodVisits: readonly VisitRow[],
  context: SegmentContext,
): Membership {
  if (segment === null) return { hasVisit: () => true, hasFact: () => true };
  const { scope, condition } = segment;
  const known = new Map<VisitRow, boolean>();
  const isIn = (visit: VisitRow): boolean => {
    const answer = known.get(visit) ?? meets(visit, condition, context);
    known.set(visit, answer);
    return answer;
  };
  if (scope === 'visit') return { hasVisit: isIn, hasFact: ({ visit }) => visit !== null && isIn(visit) };
  const visitors = new Set(periodVisits.filter(isIn).map(({ visitor_id }) => visitor_id));
  return {
    hasVisit: ({ visitor_id }) => visitors.has(visitor_id),
    hasFact: ({ visitorId }) => visitorId !== null && visitors.has(visitorId),
  };
}
