/** Finds the aggregates of a metric, and the terms of an aggregate, in their expressions. */
import { termsOf } from '../../sql/index.ts';
import type { Aggregate } from './aggregates.ts';
import type { Expression, RowTerm } from './terms.ts';
import type { Metric } from './types.ts';

/**
 * Returns the aggregates that a metric uses, in the order in which it names them.
 * @param param the goal, else empty
 */
export function aggregatesOf({ value, rowsOf }: Pick<Metric, 'value' | 'rowsOf'>, param: string): Aggregate[] {
  const terms = [...(rowsOf === null ? [] : termsOf(rowsOf)), ...termsOf(value(param))];
  return terms.flatMap((term) => (term.name === 'aggregate' ? [term.aggregate] : []));
}

/** Returns all row expressions of an aggregate. */
export function expressionsOf(aggregate: Aggregate): Expression[] {
  const found =
    aggregate.kind === 'sum'
      ? [aggregate.amount, aggregate.isRateMissing]
      : [...aggregate.entity, aggregate.where, aggregate.whereAny];
  return found.filter((expression) => expression !== undefined);
}

/** Returns whether an expression of the aggregate uses a term, such as `person`. */
export const usesTerm = (aggregate: Aggregate, name: RowTerm['name']): boolean =>
  expressionsOf(aggregate).some((expression) => termsOf(expression).some((term) => term.name === name));
