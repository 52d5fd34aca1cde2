/** Random valid requests. */
import fc from 'fast-check';
import {
  findDimension,
  isCompatible,
  DIMENSIONS,
  METRICS,
  type Dimension,
  type Metric,
} from '../../../reports/registry/index.ts';
import {
  ATTRIBUTIONS,
  COMPARISONS,
  type Condition,
  type Filter,
  type ReportRequest,
  type Segment,
} from '../../../reports/reportRequest.ts';
import { ATTRIBUTES } from './dimensions.ts';
import * as pools from './world/pools.ts';
import { shiftDate } from './wallClock.ts';

/** Returns, for a dimension, some of the values that rows have. */
export type KnownValues = (dimension: string) => readonly string[];

function dimensionIds({ id }: Dimension): string[] {
  if (id === 'visit_param' || id === 'event_param') return pools.PARAM_KEYS.map((key) => `${id}:${key}`);
  if (id === 'visitor_param') return [...pools.VISITOR_PARAMS, 'none'].map((key) => `${id}:${key}`);
  return id === 'value_source' ? ATTRIBUTES.map((attribute) => `${id}:${attribute}`) : [id];
}

const metricIds = ({ id, takes }: Metric): string[] =>
  takes === null ? [id] : [id, ...[...pools.GOALS, pools.GONE_GOAL, 'never'].map((goal) => `${id}:${goal}`)];

/** Chooses the identifier first and its parameter second, so that those with parameters are no likelier. */
const dimensionId: fc.Arbitrary<string> = fc
  .constantFrom(...DIMENSIONS)
  .chain((dimension) => fc.constantFrom(...dimensionIds(dimension)));

function filterOf(values: KnownValues, id: fc.Arbitrary<string> = dimensionId): fc.Arbitrary<Filter> {
  return id.chain((dimension) => {
    const known = values(dimension);
    const value = fc.oneof(
      { weight: 1, arbitrary: fc.constant('nobody has this') },
      { weight: known.length > 0 ? 8 : 0, arbitrary: fc.constantFrom(...(known.length > 0 ? known : [''])) },
    );
    return fc.oneof(
      fc.record({
        dimension: fc.constant(dimension),
        op: fc.constantFrom('eq' as const, 'neq' as const),
        values: value.map((one) => [one]),
      }),
      fc.record({
        dimension: fc.constant(dimension),
        op: fc.constant('contains' as const),
        values: fc.tuple(value, fc.nat(2), fc.boolean()).map(([one, from, isUpper]) => [partOf(one, from, isUpper)]),
      }),
      fc.record({
        dimension: fc.constant(dimension),
        op: fc.constant('regex' as const),
        values: fc
          .oneof(
            fc.constantFrom('^/a', 'a', '[0-9]+$', '(?:a+)+$', '^$', '.'),
            value.map((one) => `^${one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`),
          )
          .map((one) => [one]),
      }),
      fc.record({
        dimension: fc.constant(dimension),
        op: fc.constant('in' as const),
        values: fc.array(value, { minLength: 1, maxLength: 4 }),
      }),
    );
  });
}

/** Returns a non-empty part that splits no surrogate pair. */
function partOf(text: string, from: number, isUpper: boolean): string {
  const part = [...text].slice(from, from + 3).join('') || text || 'a';
  return isUpper ? part.toUpperCase() : part;
}

const MEASURED = METRICS.filter(({ perVisit }) => perVisit !== null);
const metricCondition: fc.Arbitrary<Condition> = fc.record({
  metric: fc.constantFrom(...MEASURED).chain((metric) => fc.constantFrom(...metricIds(metric))),
  op: fc.constantFrom(...COMPARISONS),
  value: fc.constantFrom(0, 0, 1, 1, 2, 3, 0.5, 10.5, 100, 50, -1),
});

function conditionOf(values: KnownValues): fc.Arbitrary<Condition> {
  const leaf: fc.Arbitrary<Condition> = fc.oneof(
    { weight: 3, arbitrary: filterOf(values) },
    { weight: 2, arbitrary: metricCondition },
  );
  const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 4, arbitrary: leaf },
      { weight: 1, arbitrary: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })) },
      { weight: 1, arbitrary: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })) },
      { weight: 1, arbitrary: tie('tree').map((not) => ({ not })) },
    ),
  }));
  return tree;
}

const segmentOf = (values: KnownValues): fc.Arbitrary<Segment> =>
  fc.record({ scope: fc.constantFrom('visit' as const, 'visitor' as const), condition: conditionOf(values) });

/** Returns the metrics that the product allows with these; those that count visits always fit. */
function fittingMetrics(dimensions: readonly string[], filters: readonly Filter[]): readonly Metric[] {
  const found = (ids: readonly string[]): Dimension[] => ids.flatMap((id) => findDimension(id)?.dimension ?? []);
  const [grouped, filtered] = [found(dimensions), found(filters.map(({ dimension }) => dimension))];
  return METRICS.filter((metric) => isCompatible(metric, grouped, filtered));
}

const period = (day: string): fc.Arbitrary<Pick<ReportRequest, 'date_from' | 'date_to'>> =>
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.tuple(fc.nat(4), fc.nat(6)).map(([before, days]) => ({
        date_from: shiftDate(day, -before),
        date_to: shiftDate(day, Math.max(0, days - before)),
      })),
    },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(7, 60, 370)
        .map((days) => ({ date_from: shiftDate(day, -days), date_to: shiftDate(day, days) })),
    },
  );

/** @param day in the middle of the world */
export function randomRequest(day: string, values: KnownValues): fc.Arbitrary<ReportRequest> {
  const rows = fc.record({
    dimensions: fc.oneof(
      { weight: 5, arbitrary: fc.uniqueArray(dimensionId, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.uniqueArray(dimensionId, { minLength: 4, maxLength: 5 }) },
    ),
    filters: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(filterOf(values), { minLength: 1, maxLength: 2 }) },
    ),
  });
  const requests = rows
    .chain(({ dimensions, filters }) =>
      fc.record({
        dimensions: fc.constant(dimensions),
        filters: fc.constant(filters),
        metrics: fc.uniqueArray(
          fc
            .constantFrom(...fittingMetrics(dimensions, filters))
            .chain((metric) => fc.constantFrom(...metricIds(metric))),
          { minLength: 3, maxLength: 10, size: 'max' },
        ),
        segment: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: segmentOf(values) }),
        period: period(day),
        attribution: fc.constantFrom(...ATTRIBUTIONS),
        robots: fc.oneof(
          { weight: 1, arbitrary: fc.constant('only' as const) },
          { weight: 6, arbitrary: fc.constantFrom('include' as const, 'exclude' as const) },
        ),
        sort: fc.array(fc.tuple(fc.nat(20), fc.constantFrom('asc' as const, 'desc' as const)), { maxLength: 3 }),
        limit: fc.constantFrom(1, 3, 10, 10_000, 10_000),
        offset: fc.constantFrom(0, 0, 0, 1, 4),
      }),
    )
    .map(({ period: days, sort, ...rest }) => {
      const fields = [...rest.dimensions, ...rest.metrics];
      return {
        ...rest,
        ...days,
        sort: sort.map(([index, dir]) => ({ field: fields[index % fields.length] ?? 'visits', dir })),
      };
    }); // With its bias fast-check begins with the smallest values, which reveal the least.
  return fc.noBias(requests);
}
