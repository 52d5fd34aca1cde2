/** What metrics are made of. */
import type { Aggregate, DistinctAggregate, Metric, SumAggregate, Terms } from '../types.ts';

type Given = Omit<Metric, 'takes' | 'ofVisit' | 'isByAttribute'> & Partial<Metric>;

export const metric = (given: Given): Metric => ({ takes: null, ofVisit: null, isByAttribute: false, ...given });

/** @param sql plain SQL, or what makes it */
export function sum(
  level: SumAggregate['level'],
  name: string,
  sql: string | SumAggregate['sql'],
  given: Partial<SumAggregate & Pick<Aggregate, 'over'>> = {},
): Aggregate {
  return { kind: 'sum', level, name, sql: typeof sql === 'string' ? () => sql : sql, ...given };
}

export function distinct(
  level: DistinctAggregate['level'],
  name: string,
  entity: string | DistinctAggregate['entity'],
  given: Partial<DistinctAggregate & Pick<Aggregate, 'over'>> = {},
): Aggregate {
  return { kind: 'distinct', level, name, entity: typeof entity === 'string' ? () => [entity] : entity, ...given };
}

/** 0 where there is nothing to divide by. */
export const ratio = (numerator: string, denominator: string): string =>
  `case when ${denominator} = 0 then 0 else ${numerator} / ${denominator} end`;

/** In millionths, of which what has up to six places (money, quantities) is a whole number. */
const millionths = (amount: string): string => `round(${amount} * 1e6)`;

/** Of amounts: 0.3 / 3 is not 0.1 as DOUBLE, while whole numbers give equal means one value, so that their rows tie. */
export const amountRatio = (numerator: string, denominator: string): string =>
  ratio(millionths(numerator), millionths(denominator));

/** Of a row of conversions: of the metric's goal, of any where it names none. */
export const isGoal = ({ param, bind }: Terms): string => (param === '' ? 'true' : `c.goal = ${bind(param)}`);
