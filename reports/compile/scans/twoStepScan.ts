/**
 * A scan in two steps: first a relation with one row for each combination of keys and each entity, then the rows of the
 * report and the totals, which are computed from that relation.
 */
import type { DistinctAggregate } from '../../registry/index.ts';
import { call, column, groupByFirst, join, NOTHING, raw, sql, type Sql } from '../../sql/index.ts';
import { isDistinct, type ResolvedAggregate } from '../request/rowsOfAggregates.ts';
import type { JoinedRows } from './joinedRows.ts';
import type { ResolvedDimension } from '../request/resolvedRequest.ts';

/** The relation of the first step. */
export interface Stage {
  rows: Sql;
  /** Its columns that identify entities; none if the scan counts no entities. */
  entities: readonly string[];
  /** Whether each entity has only one row: there are no keys, or the keys are columns of the entity. */
  isByEntity: boolean;
  /** As in {@link JoinedRows}. */
  hasFanOut: boolean;
}

export interface Column {
  value: Sql;
  column: string;
}

const named = (value: Sql, name: string): Sql => sql`${value} as ${raw(name)}`;
const own = (name: string): Sql => column(null, name);

/** Builds the first step: each entity has its least weight above 0, and each sum is complete. */
export function stageSql(
  rows: JoinedRows,
  keys: readonly Column[],
  entities: readonly Column[],
  aggregates: readonly ResolvedAggregate[],
): Sql {
  const groups = [...new Set([...keys, ...entities])];
  const amounts = aggregates.flatMap((one) => amountsOf(one, rows));
  // Without keys, the number of rows shows whether there is anything to report.
  const columns = [
    ...groups.map((group) => named(group.value, group.column)),
    ...amounts,
    ...missingRate(rows, aggregates),
    ...(keys.length === 0 ? [raw('count(*) as n')] : []),
  ];
  return sql`select ${join(columns)} ${rows.from(columns)}${groupByFirst(groups.length)}`;
}

function amountsOf({ aggregate, column: name }: ResolvedAggregate, rows: JoinedRows): Sql[] {
  if (aggregate.kind === 'sum') return [named(sql`sum(${rows.fill(aggregate.amount)})`, name)];
  const weight = named(minWeight(aggregate, rows), name);
  return aggregate.whereAny === undefined
    ? [weight]
    : [weight, named(call('anyTrue', rows.fill(aggregate.whereAny)), whereAnyColumn(name))];
}

/** The column that holds whether any of an entity's rows meets the aggregate's condition `whereAny`. */
const whereAnyColumn = (name: string): string => `${name}_any`;

const hasWhereAny = ({ aggregate }: ResolvedAggregate): boolean =>
  aggregate.kind === 'distinct' && aggregate.whereAny !== undefined;

function minWeight(aggregate: DistinctAggregate, { fill, weight, isCounted }: JoinedRows): Sql {
  const condition = conditionOf(isCounted, aggregate.where === undefined ? null : fill(aggregate.where));
  const counted = aggregate.isUnweighted === true ? sql`1` : sql`nullif(${weight}, 0)`;
  return sql`min(${counted})${condition === null ? NOTHING : sql` filter (where ${condition})`}`;
}

function conditionOf(isCounted: Sql | null, isOfAggregate: Sql | null): Sql | null {
  if (isCounted === null || isOfAggregate === null) return isCounted ?? isOfAggregate;
  return sql`${isCounted} and (${isOfAggregate})`;
}

function missingRate(rows: JoinedRows, aggregates: readonly ResolvedAggregate[]): Sql[] {
  const flags = aggregates.flatMap(({ aggregate }) =>
    aggregate.kind === 'sum' && aggregate.isRateMissing ? [sql`(${rows.fill(aggregate.isRateMissing)})`] : [],
  );
  return flags.length === 0 ? [] : [named(call('anyTrue', join(flags, ' or ')), 'missing_rate')];
}

const mayMissRate = (aggregates: readonly ResolvedAggregate[]): boolean =>
  aggregates.some(({ aggregate }) => aggregate.kind === 'sum' && aggregate.isRateMissing !== undefined);

export function rowsSql(
  { rows, entities }: Stage,
  dimensions: readonly ResolvedDimension[],
  aggregates: readonly ResolvedAggregate[],
): Sql {
  const keys = dimensions.map(({ index }) => own(`d${index}`));
  // Without keys there is one row, or none if nothing was counted.
  const end = keys.length === 0 ? sql` having sum(n) > 0` : groupByFirst(keys.length);
  return sql`select ${join([...keys, ...aggregates.map((one) => summed(one, entities))])} from ${rows}${end}`;
}

/** Returns the totals. Sums are added up over all rows; for entities, the rows with different keys are merged first. */
export function totalSql(stage: Stage, aggregates: readonly ResolvedAggregate[]): Sql {
  const { rows, entities } = stage;
  const summedUp = (ones: readonly ResolvedAggregate[]): Sql[] => ones.map((one) => summed(one, entities));
  const missed = named(
    mayMissRate(aggregates) ? sql`coalesce(${call('anyTrue', own('missing_rate'))}, false)` : sql`false`,
    'missing_rate',
  );
  if (entities.length === 0) return sql`select ${join([...summedUp(aggregates), missed])} from ${rows}`;
  const sums = aggregates.filter((one) => !isDistinct(one));
  const counted = aggregates.filter(isDistinct);
  const people = sql`select ${join(summedUp(counted))} from ${eachOnce(stage, counted)}`;
  const added =
    sums.length === 0
      ? sql`select false as missing_rate`
      : sql`select ${join([...summedUp(sums), missed])} from ${rows}`;
  return sql`select people.*, added.* from (${people}) as people, (${added}) as added`;
}

function eachOnce({ rows, entities, isByEntity }: Stage, counted: readonly ResolvedAggregate[]): Sql {
  if (isByEntity) return rows;
  const merged = counted.flatMap((one) => {
    const some = whereAnyColumn(one.column);
    return [
      named(sql`min(${own(one.column)})`, one.column),
      ...(hasWhereAny(one) ? [named(call('anyTrue', own(some)), some)] : []),
    ];
  });
  return sql`(select ${join([...entities.map(own), ...merged])} from ${rows}${groupByFirst(entities.length)})`;
}

/** Returns the sum over the rows; an entity counts only if one of its columns is not null. */
function summed(aggregate: ResolvedAggregate, entities: readonly string[]): Sql {
  const sum = sql`sum(${own(aggregate.column)})`;
  if (!isDistinct(aggregate)) return named(sum, aggregate.column);
  const isSomebody = sql`(${join(
    entities.map((entity) => sql`${own(entity)} is not null`),
    ' or ',
  )})`;
  const isSome = hasWhereAny(aggregate) ? sql` and ${own(whereAnyColumn(aggregate.column))}` : NOTHING;
  return named(sql`${sum} filter (where ${isSomebody}${isSome})`, aggregate.column);
}
