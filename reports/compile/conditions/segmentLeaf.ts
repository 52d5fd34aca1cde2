/** The single conditions of a segment. */
import { attributeOf, COLUMNS, findDimension, findMetric, type Dimension } from '../../registry/index.ts';
import type { Filter, MetricCondition } from '../../reportRequest.ts';
import { call, literal, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import { COMPARE, matches } from './comparisons.ts';
import { attributeCondition } from '../rows/personOfRow.ts';
import type { DetailLevel } from '../rows/periodRows.ts';
import { filled } from '../context/fillTerms.ts';
import { ATTRIBUTE_COLUMNS } from './personAttributes.ts';

export type Leaf = Filter | MetricCondition;

export interface LeafContext {
  compilation: Compilation;
  /** The start of a visit in the site's time zone. */
  rowTime: Sql;
  /** The person of a visit. */
  person: Sql;
}

/** A condition that depends on the hits or facts of a visit. */
export interface Detail {
  level: DetailLevel;
  /** An aggregate over the visit's rows of the level. */
  aggregate: Sql;
  /** The rows that the condition is about; null: all rows. */
  isMatch: Sql | null;
  /** @param value of the aggregate; null for a visit without rows. @returns true or false, never null */
  isTrue(value: Sql): Sql;
}

/** @returns a condition on the visit itself, true or false and never null; or one on its hits or facts */
export function leafOf(leaf: Leaf, context: LeafContext): Sql | Detail {
  return 'metric' in leaf ? metricLeaf(leaf, context) : filterLeaf(leaf, context);
}

function filterLeaf(filter: Filter, { compilation, rowTime, person }: LeafContext): Sql | Detail {
  const found = findDimension(filter.dimension);
  if (found === null) throw new Error(`no dimension ${filter.dimension}`);
  const { dimension, param } = found;
  const { level } = dimension;
  if (level === 'person') return personSql(dimension, param, filter, compilation, person);
  const key = filled(compilation, dimension.key(param), { rowTime });
  const isMatch = sql`coalesce(${matches(dimension, key, filter)}, false)`;
  if (level === 'visit') return isMatch;
  const { type } = COLUMNS.hit;
  const ofType = dimension.hitType === null ? sql`${type} <> 'ping'` : sql`${type} = ${literal(dimension.hitType)}`;
  return anyRow(level, level === 'hit' ? sql`${ofType} and ${isMatch}` : isMatch);
}

/** Returns the condition that any of the visit's rows matches. */
const anyRow = (level: DetailLevel, isMatch: Sql): Detail => ({
  level,
  aggregate: call('anyTrue', isMatch),
  isMatch,
  isTrue: (isAny) => sql`coalesce(${isAny}, false)`,
});

/** Compares with sets of persons, because a person with several values is in the set of each value. */
function personSql(dimension: Dimension, param: string, filter: Filter, compilation: Compilation, person: Sql): Sql {
  const isOfAttribute = attributeCondition(attributeOf(dimension, param));
  const isMatch = matches(
    dimension,
    filled(compilation, dimension.key(param), { attribute: ATTRIBUTE_COLUMNS }),
    filter,
  );
  const hasValue = sql`${person} in (select person from effective_values where ${isOfAttribute} and ${isMatch})`;
  if (filter.op !== 'neq') return hasValue;
  return sql`(${hasValue} or ${person} not in (select person from effective_values where ${isOfAttribute}))`;
}

function metricLeaf({ metric, op, value }: MetricCondition, { compilation, rowTime }: LeafContext): Sql | Detail {
  const found = findMetric(metric);
  const measured = found?.metric.perVisit ?? null;
  if (found === null || measured === null) throw new Error(`no metric of a visit: ${metric}`);
  const amount = filled(compilation, measured.value(found.param), { rowTime });
  // Bound as text, because whole numbers beyond BIGINT cannot be bound as numbers.
  const compared = sql`${COMPARE[op]} ${call('double', sql`${String(value)}`)}`;
  const isTrue = (ofRow: Sql): Sql => sql`coalesce(${ofRow}, 0) ${compared}`;
  return measured.level === 'visit'
    ? isTrue(amount)
    : { level: measured.level, aggregate: amount, isMatch: null, isTrue };
}
