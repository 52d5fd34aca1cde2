/** Selects the rows of one level and joins them with everything that the expressions of a scan name. */
import { COLUMNS, type Aggregate, type End, type Expression, type RowLevel } from '../../registry/index.ts';
import { join, references, sql, where, type Sql } from '../../sql/index.ts';
import { rowsWithVisits, robotConditions } from '../rows/rowsWithVisits.ts';
import type { Compilation } from '../context/compileContext.ts';
import type { HitNeeds } from '../rows/periodHits.ts';
import { neededJoins, type Join } from '../rows/joins.ts';
import { joinedKinds, visitIn, type JoinedKinds } from './joinedKinds.ts';
import { matches } from '../conditions/comparisons.ts';
import { isOverEverybody, resolvedOver, type Population } from '../request/populations.ts';
import { personOf } from '../rows/personOfRow.ts';
import { localTime } from '../context/period.ts';
import type { ResolvedRequest, ResolvedDimension, ResolvedFilter } from '../request/resolvedRequest.ts';
import type { ReportSegment } from '../conditions/reportSegment.ts';
import { sampledRows, type SampledRows } from '../rows/sampledRows.ts';
import { isFact } from '../rows/periodRows.ts';
import { filled, type TermContext } from '../context/fillTerms.ts';
import { attributeId, rowAttributes, type RowAttributes } from '../conditions/personAttributes.ts';
import { isOf } from '../request/rowKinds.ts';
import { detailConditions, visitsOfKind } from './keyCombinations.ts';

export interface RowsQuery {
  level: RowLevel;
  population: Population;
  /** The dimensions whose keys are needed. */
  dimensions: readonly ResolvedDimension[];
  /** The aggregates whose expressions are needed. */
  aggregates: readonly Aggregate[];
  /** Whether an aggregate reads attributes of the person, in addition to the keys. */
  usesAttributes: boolean;
  hits: HitNeeds;
  /** Only visits that have this end are counted; null for all rows. */
  end: End | null;
  /** The column of the user that the scan counts; a sample also reads the rows that name a sampled user. */
  namedUser: Sql | null;
}

export interface JoinedRows {
  /** The number of hits, visits and so on that a row stands for. */
  weight: Sql;
  /** The condition that the row counts in the sample; null if all rows do. */
  isCounted: Sql | null;
  /** Whether joins may repeat a row with different keys. */
  hasFanOut: boolean;
  key(used: ResolvedDimension): Sql;
  /** Fills in the terms of an expression of one of the aggregates. */
  fill(expression: Expression): Sql;
  /**
   * Returns the text after the columns: only relations that the columns name are joined.
   * @param columns all columns of the select
   */
  from(columns: readonly Sql[]): Sql;
}

export function joinedRows(
  compilation: Compilation,
  whole: ResolvedRequest,
  segment: ReportSegment | null,
  query: RowsQuery,
): JoinedRows {
  const { level, dimensions, usesAttributes } = query;
  const rowContext = rowContextOf(compilation, whole, segment, query);
  const { resolved, rowTime, attributes, kinds } = rowContext;
  const [onlyJoin] = attributes.joins.values();
  const context: TermContext = {
    rowTime,
    person: rowContext.person,
    ...kinds.terms,
    ...(onlyJoin && { attribute: onlyJoin.columns }),
  };
  const joins = joinsOf(rowContext);
  const conditions = conditionsOf(compilation, rowContext, query);
  return {
    weight: COLUMNS[level].weight,
    isCounted: rowContext.sample?.isCounted ?? null,
    hasFanOut: usesAttributes || dimensions.some((used) => used.dimension.level === 'person' || kinds.isForeign(used)),
    fill: (expression) => filled(compilation, expression, context),
    key(used) {
      const { dimension, param } = used;
      const ofKind = dimension.level === level ? null : kinds.key(used);
      if (ofKind !== null) return ofKind;
      const attribute = dimension.level === 'person' ? attributes.joins.get(attributeId(used))?.columns : undefined;
      return filled(compilation, dimension.key(param), { rowTime, ...(attribute && { attribute }) });
    },
    from(columns) {
      const joined = neededJoins(joins, [...columns, ...conditions]);
      const asksVisit = [...columns, ...conditions, ...joined].some((one) => references(one, 'v'));
      const base = rowsWithVisits(compilation, resolved, query, asksVisit);
      const all = [...conditions, ...(asksVisit ? robotConditions(compilation, level) : [])];
      return sql`from ${join([...base, ...joined], ' ')}${where(all)}`;
    },
  };
}

/** Everything around the rows that expressions and conditions may name. */
interface RowContext {
  /** The parts of the request that apply. */
  resolved: ResolvedRequest;
  segment: ReportSegment | null;
  rowTime: Sql;
  person: Sql;
  personJoin: Join;
  attributes: RowAttributes;
  kinds: JoinedKinds;
  sample: SampledRows | null;
}

function rowContextOf(
  compilation: Compilation,
  whole: ResolvedRequest,
  segment: ReportSegment | null,
  query: RowsQuery,
): RowContext {
  const { level, population, dimensions, usesAttributes, namedUser } = query;
  const resolved = resolvedOver(whole, population);
  const { join: personJoin, person } = ownerOf(level);
  return {
    resolved,
    segment: isOverEverybody(population) ? null : segment,
    rowTime: rowTimeOf(compilation, level),
    person,
    personJoin,
    attributes: rowAttributes(compilation, resolved, person, [
      ...dimensions,
      ...(usesAttributes ? whole.dimensions : []),
    ]),
    kinds: joinedKinds(compilation, resolved, query),
    sample: sampledRows(compilation, level, namedUser),
  };
}

function joinsOf({ sample, segment, kinds, personJoin, attributes }: RowContext): Join[] {
  return [
    ...(sample === null ? [] : [sample.join]),
    ...(segment?.joins ?? []),
    ...kinds.joins,
    personJoin,
    ...[...attributes.joins.values()].map((one) => one.join),
  ];
}

function conditionsOf(compilation: Compilation, rowContext: RowContext, { level, end }: RowsQuery): Sql[] {
  const { resolved, rowTime, sample, segment, kinds, attributes } = rowContext;
  return [
    ...(sample === null ? [] : [sample.where]),
    ...(end === null ? [] : [sql`${COLUMNS.visit[`${end}_url`]} is not null`]),
    ...ownConditions(compilation, resolved, level, rowTime),
    ...(segment === null ? [] : [segment.condition(level)]),
    ...kinds.filterOnly.map((kind) => visitIn(visitsOfKind(compilation, resolved, kind))),
    ...attributes.conditions,
  ];
}

/** Returns the time of a row in the site's time zone: a fact's own time, or the time of a hit's visit. */
function rowTimeOf({ period }: Compilation, level: RowLevel): Sql {
  const utc = isFact(level) ? COLUMNS[level].at : COLUMNS.visit.started_at;
  return localTime(utc, period.zone, period);
}

const ownerOf = (level: RowLevel): ReturnType<typeof personOf> =>
  isFact(level)
    ? personOf({ visitor: COLUMNS[level].visitor_id, user: COLUMNS[level].user_id })
    : personOf({ visitor: COLUMNS.visit.visitor_id });

/** Returns the filters on the visit and on the row itself. */
function ownConditions(compilation: Compilation, resolved: ResolvedRequest, level: RowLevel, rowTime: Sql): Sql[] {
  const isOwn = ({ dimension }: ResolvedFilter): boolean =>
    dimension.level === 'visit' || dimension.level === level || (level === 'product' && dimension.level === 'order');
  const filters = resolved.filters
    .filter(isOwn)
    .map(({ dimension, param, filter }) =>
      matches(dimension, filled(compilation, dimension.key(param), { rowTime }), filter),
    );
  const ofHits = [...resolved.dimensions, ...resolved.filters].filter(isOf('hit'));
  return level === 'hit' ? [...filters, ...detailConditions(compilation, ofHits, [])] : filters;
}
