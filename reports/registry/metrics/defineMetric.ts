/** The building blocks of metrics. An aggregate is SQL like any other, so the value of a metric simply names it. */
import { open, sql, type Sql } from '../../sql/index.ts';
import { c } from '../entry/columns.ts';
import type { Expression } from '../entry/terms.ts';
import type { Aggregate, DistinctAggregate, SumAggregate } from '../entry/aggregates.ts';
import type { Metric, MetricTerm, PerVisitMetric } from '../entry/types.ts';

/** A number of a report's row: an aggregate, or an expression over aggregates. */
export type Figure = Sql<MetricTerm>;

type Given = Pick<Metric, 'id' | 'group' | 'level' | 'type' | 'label'> &
  Partial<Pick<Metric, 'takes' | 'isByAttribute' | 'rowsOf'>> & {
    /** A metric that depends on the goal is a function of it. */
    value: Figure | Metric['value'];
    perVisit?: GivenPerVisit;
  };

export interface GivenPerVisit {
  level: PerVisitMetric['level'];
  value: Expression | PerVisitMetric['value'];
}

export function metric({ value, perVisit, ...given }: Given): Metric {
  return {
    takes: null,
    isByAttribute: false,
    rowsOf: null,
    ...given,
    value: ofParam(value),
    perVisit: perVisit === undefined ? null : { level: perVisit.level, value: ofParam(perVisit.value) },
  };
}

const ofParam = <T>(value: Sql<T> | ((param: string) => Sql<T>)): ((param: string) => Sql<T>) =>
  typeof value === 'function' ? value : () => value;

const aggregateOf = (aggregate: Aggregate): Figure => open({ name: 'aggregate', aggregate });

export const DAYS: Figure = open({ name: 'days' });

export const sum = (
  level: SumAggregate['level'],
  name: string,
  amount: Expression,
  given: Partial<SumAggregate & Pick<Aggregate, 'population'>> = {},
): Figure => aggregateOf({ kind: 'sum', level, name, amount, ...given });

export const distinct = (
  level: DistinctAggregate['level'],
  name: string,
  entity: Expression | readonly Expression[],
  given: Partial<DistinctAggregate & Pick<Aggregate, 'population'>> = {},
): Figure => aggregateOf({ kind: 'distinct', level, name, entity: 'tokens' in entity ? [entity] : entity, ...given });

/** Returns an amount that counts only if the row meets a condition. */
export const amountIf = (condition: Expression, amount: Expression): Expression =>
  sql`case when ${condition} then ${amount} end`;

/** Aggregates over the rows that meet a condition, for metrics of one visit. */
export const countIf = (condition: Expression): Expression => sql`count(*) filter (where ${condition})`;
export const sumIf = (condition: Expression, amount: Expression): Expression =>
  sql`sum(${amount}) filter (where ${condition})`;

/** Returns a quotient; 0 if there is nothing to divide by. */
export const ratio = (numerator: Figure, denominator: Figure): Figure =>
  sql`case when ${denominator} = 0 then 0 else ${numerator} / ${denominator} end`;

/** Converts to millionths: money and quantities have up to six places and become whole numbers. */
const millionths = (amount: Figure): Figure => sql`round(${amount} * 1e6)`;

/**
 * Returns a quotient of amounts. As DOUBLE, 0.3 / 3 is not 0.1; with whole numbers equal quotients are equal values, so
 * that their rows tie.
 */
export const amountRatio = (numerator: Figure, denominator: Figure): Figure =>
  ratio(millionths(numerator), millionths(denominator));

/**
 * Returns the condition that a conversion is of a goal, or of any goal if it is empty.
 * @param code the column with the conversion's goal
 */
export const isGoal = (goal: string, code = c.goal): Sql => (goal === '' ? sql`true` : sql`${code} = ${goal}`);
