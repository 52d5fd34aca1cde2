/**
 * A visit has hits, conversions and orders, each of which may have several values of a dimension. A report by such
 * dimensions joins each visit once with every combination of keys of its hits, conversions or orders.
 */
import { COLUMNS, type Level } from '../../registry/index.ts';
import { call, groupByFirst, join, literal, raw, sql, where, type Sql } from '../../sql/index.ts';
import { isOf, type Kind, type RowsOfKind } from '../request/rowKinds.ts';
import type { Compilation } from '../context/compileContext.ts';
import { matches } from '../conditions/comparisons.ts';
import type { ResolvedRequest, ResolvedDimension, ResolvedFilter } from '../request/resolvedRequest.ts';
import { detailsOf } from '../rows/periodRows.ts';
import { IS_LINE_OF } from '../rows/rowsWithVisits.ts';
import { filled } from '../context/fillTerms.ts';

interface KindRows {
  level: RowsOfKind;
  /** The text after `from`. */
  from: Sql;
}

/**
 * Returns the rows of a kind, called `h`, `c`, `o` or `l`.
 * @param needed dimensions and filters of the kind
 */
function rowsOfKind(
  compilation: Compilation,
  kind: Kind,
  needed: readonly Pick<ResolvedDimension, 'dimension'>[],
): KindRows {
  const asksFor = (level: Level): boolean => needed.some(({ dimension }) => dimension.level === level);
  if (kind === 'hit') return { level: 'hit', from: sql`${detailsOf(compilation, 'hit')} as h` };
  if (kind === 'goal') return { level: 'goal', from: sql`${detailsOf(compilation, 'goal')} as c` };
  const orders = sql`${detailsOf(compilation, 'order')} as o`;
  if (!asksFor('product')) return { level: 'order', from: orders };
  const lines = sql`${detailsOf(compilation, 'product')} as l`;
  return { level: 'product', from: asksFor('order') ? sql`${lines} join ${orders} on ${IS_LINE_OF}` : lines };
}

/**
 * Returns the conditions on one hit, conversion, order or line: the filters, and the type of hits that the dimensions
 * are about.
 */
export function detailConditions(
  compilation: Compilation,
  entries: readonly Pick<ResolvedDimension, 'dimension'>[],
  filters: readonly ResolvedFilter[],
): Sql[] {
  const types = new Set(entries.map(({ dimension }) => dimension.hitType).filter((type) => type !== null));
  return [
    ...[...types].map((type) => sql`${COLUMNS.hit.type} = ${literal(type)}`),
    ...filters.map(({ dimension, param, filter }) =>
      matches(dimension, filled(compilation, dimension.key(param)), filter),
    ),
  ];
}

/** A column of {@link keyCombinations}: whether any row with this combination of keys meets a condition. */
export interface Flag {
  name: string;
  /** @param level the rows that the condition is about */
  condition(level: RowsOfKind): Sql;
}

/**
 * Returns a select with one row for each visit and each combination of keys of its rows of the kind.
 * @param resolved its filters of the kind must hold for the same row
 * @param dimensions become the columns `d<index>`; those of other kinds are ignored
 */
export function keyCombinations(
  compilation: Compilation,
  resolved: ResolvedRequest,
  kind: Kind,
  dimensions: readonly ResolvedDimension[],
  flags: readonly Flag[],
): Sql {
  const { level, from } = filteredRows(compilation, resolved, kind);
  const columns = seriesColumns(compilation, dimensions.filter(isOf(kind)));
  const found = flags.map((flag) => sql`${call('anyTrue', flag.condition(level))} as ${raw(flag.name)}`);
  const selected = join([COLUMNS[level].visit_id, ...columns, ...found]);
  return sql`(select ${selected} ${from}${groupByFirst(1 + columns.length)})`;
}

/** Returns the keys of dimensions as columns `d<index>`. */
export const seriesColumns = (compilation: Compilation, dimensions: readonly ResolvedDimension[]): Sql[] =>
  dimensions.map(
    ({ dimension, param, index }) => sql`${filled(compilation, dimension.key(param))} as ${raw(`d${index}`)}`,
  );

/** Returns the ids of visits that have a row of the kind which passes the filters; an id may occur more than once. */
export function visitsOfKind(compilation: Compilation, resolved: ResolvedRequest, kind: Kind): Sql {
  const { level, from } = filteredRows(compilation, resolved, kind);
  return sql`(select ${COLUMNS[level].visit_id} ${from})`;
}

function filteredRows(compilation: Compilation, resolved: ResolvedRequest, kind: Kind): KindRows {
  const entries = [...resolved.dimensions, ...resolved.filters].filter(isOf(kind));
  const { level, from } = rowsOfKind(compilation, kind, entries);
  const conditions = detailConditions(compilation, entries, resolved.filters.filter(isOf(kind)));
  return {
    level,
    from: sql`from ${from}${where([sql`${COLUMNS[level].visit_id} is not null`, ...conditions])}`,
  };
}
