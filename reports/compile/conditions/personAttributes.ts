/** Dimensions of the audience and filters on them: the attributes of the person of a row. */
import { attributeOf } from '../../registry/index.ts';
import type { Filter } from '../../reportRequest.ts';
import { column, join, raw, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import type { Join } from '../rows/joins.ts';
import { matches } from './comparisons.ts';
import { attributeCondition, type AttributeKey } from '../rows/personOfRow.ts';
import type { ResolvedRequest, ResolvedDimension, ResolvedFilter } from '../request/resolvedRequest.ts';
import { filled, type AttributeColumns } from '../context/fillTerms.ts';

type Entry = Pick<ResolvedDimension, 'dimension' | 'param'>;

/** Returns the attribute of a dimension or filter as one text, with its key if it is a param. */
export function attributeId({ dimension, param }: Entry): string {
  const { attribute, param: key } = attributeOf(dimension, param);
  return key === null ? attribute : `${attribute}:${key}`;
}

export interface AttributeJoin {
  join: Join;
  where: Sql[];
  columns: AttributeColumns;
}

/** The columns of a select from `effective_values`. */
export const ATTRIBUTE_COLUMNS: AttributeColumns = { value: column(null, 'value'), source: column(null, 'source') };

/**
 * Joins a row with the values of its person that pass the filters, each combination of the dimensions once. A person
 * without values keeps one row with null, if the filters admit null.
 * @param dimensions all of one attribute, as are the filters
 */
function attributeJoin(
  compilation: Compilation,
  person: Sql,
  alias: string,
  dimensions: readonly ResolvedDimension[],
  filters: readonly ResolvedFilter[],
): AttributeJoin {
  const [first] = dimensions;
  if (first === undefined) throw new Error('no dimension to join values for');
  const attributeKey = attributeOf(first.dimension, first.param);
  const value = raw(dimensions.some(({ dimension }) => dimension.id !== 'value_source') ? 'value' : 'true as value');
  const values = sql`select distinct person, ${value}, source from effective_values where ${valueConditions(compilation, attributeKey, filters)}`;
  const isLeft = takesNull(filters.map(({ filter }) => filter));
  const joinedPerson = column(alias, 'person');
  return {
    join: {
      alias,
      clause: sql`${raw(isLeft ? 'left join' : 'join')} (${values}) as ${raw(alias)} on ${joinedPerson} = ${person}`,
      isNeeded: true,
    },
    where:
      isLeft && filters.length > 0 ? [sql`(${joinedPerson} is not null or ${isUnknown(person, attributeKey)})`] : [],
    columns: { value: column(alias, 'value'), source: column(alias, 'source') },
  };
}

/** Returns the condition that the person has a value that passes the filters, or no value if the filters admit null. */
function attributeFilter(compilation: Compilation, person: Sql, filters: readonly ResolvedFilter[]): Sql {
  const [first] = filters;
  if (first === undefined) return sql`true`;
  const attributeKey = attributeOf(first.dimension, first.param);
  const hasValue = sql`${person} in (select person from effective_values where ${valueConditions(compilation, attributeKey, filters)})`;
  return takesNull(filters.map(({ filter }) => filter))
    ? sql`(${hasValue} or ${isUnknown(person, attributeKey)})`
    : hasValue;
}

export interface RowAttributes {
  /** By attribute ({@link attributeId}). */
  joins: ReadonlyMap<string, AttributeJoin>;
  conditions: Sql[];
}

/**
 * Joins rows with the attributes that a dimension shows, and turns filters on other attributes into conditions.
 * @param resolved provides the filters
 * @param dimensions those that are not of the audience are ignored
 */
export function rowAttributes(
  compilation: Compilation,
  resolved: ResolvedRequest,
  person: Sql,
  dimensions: readonly ResolvedDimension[],
): RowAttributes {
  const shown = Map.groupBy(new Set(dimensions.filter(isOfPerson)), attributeId);
  const filters = Map.groupBy(resolved.filters.filter(isOfPerson), attributeId);
  const joins = new Map(
    [...shown].map(([key, used], index) => [
      key,
      attributeJoin(compilation, person, `attribute${index}`, used, filters.get(key) ?? []),
    ]),
  );
  const others = [...filters].filter(([key]) => !joins.has(key));
  return {
    joins,
    conditions: [
      ...[...joins.values()].flatMap((one) => one.where),
      ...others.map(([, ofKey]) => attributeFilter(compilation, person, ofKey)),
    ],
  };
}

const isOfPerson = ({ dimension }: Pick<ResolvedDimension, 'dimension'>): boolean => dimension.level === 'person';

const isUnknown = (person: Sql, attributeKey: AttributeKey): Sql =>
  sql`${person} not in (select person from effective_values where ${attributeCondition(attributeKey)})`;

function valueConditions(
  compilation: Compilation,
  attributeKey: AttributeKey,
  filters: readonly ResolvedFilter[],
): Sql {
  const conditions = filters.map(({ dimension, param, filter }) =>
    matches(dimension, filled(compilation, dimension.key(param), { attribute: ATTRIBUTE_COLUMNS }), filter),
  );
  return join([attributeCondition(attributeKey), ...conditions], ' and ');
}

/** Returns whether a person without a value passes: unknown equals nothing, so only `neq` is true of it. */
const takesNull = (filters: readonly Filter[]): boolean => filters.every(({ op }) => op === 'neq');
