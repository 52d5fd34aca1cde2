/** The site's rows in the lake, with newer versions of visits from PostgreSQL. */
import type { LakeTable } from '../../../domain/reports/lakeRows.ts';
import { FORMER_ROBOTS } from '../../lake/formerRobots.ts';
import { LAYOUTS } from '../../lake/layouts.ts';
import { FRESH_VISITS } from '../../lake/tables.ts';
import { columnsOf } from '../../registry/index.ts';
import { call, column, join, NOTHING, raw, sql, where, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import { timestamp, type Span } from '../context/period.ts';

/** The columns of the lake's tables, without an alias. */
export const LAKE = {
  hits: columnsOf('hits', null),
  visits: columnsOf('visits', null),
  conversions: columnsOf('conversions', null),
  orders: columnsOf('orders', null),
  order_lines: columnsOf('order_lines', null),
} as const;

/** The time column that selects rows, so that DuckDB can skip files. */
const TIME: Readonly<Record<LakeTable, Sql>> = {
  hits: LAKE.hits.visit_started_at,
  visits: LAKE.visits.started_at,
  conversions: LAKE.conversions.at,
  orders: LAKE.orders.at,
  order_lines: LAKE.order_lines.at,
};

/** Returns a select in brackets: all rows of the site in a span, or those that a sample needs. */
export function rowsOf(compilation: Compilation, table: LakeTable, span: Span, conditions: readonly Sql[] = []): Sql {
  const rows = table === 'visits' ? visitRows(compilation, span) : storedRows(compilation, table, span);
  return sql`(select * from ${rows}${where(conditions)})`;
}

/** Returns the ids of robot visits of a span that were removed from the lake while their facts stay. */
export function formerRobots(compilation: Compilation, span: Span): Sql {
  return sql`select visit_id from ${ofSite(compilation, FORMER_ROBOTS)} and ${within(column(null, 'started_at'), span)}`;
}

/**
 * Returns a select in brackets: the positions on the page of the hits of a span's visits. They name no visitor, so they
 * are not sampled.
 */
export function layoutRows(compilation: Compilation, span: Span): Sql {
  return sql`(select * from ${ofSite(compilation, LAYOUTS)} and ${within(TIME.hits, span)})`;
}

/** The tables of reports and the auxiliary tables. */
type StoredTable = LakeTable | typeof FORMER_ROBOTS | typeof LAYOUTS;

/**
 * Returns a table of the lake.
 * @param snapshot the version to read; null for the newest
 */
export const lakeTable = (table: StoredTable, snapshot: number | null): Sql =>
  snapshot === null ? raw(`lake.${table}`) : call('atVersion', raw(`lake.${table}`), raw(String(snapshot)));

export const within = (time: Sql, { from, to }: Span): Sql =>
  sql`${time} >= ${timestamp(from)} and ${time} < ${timestamp(to)}`;

function storedRows(compilation: Compilation, table: LakeTable, span: Span): Sql {
  return sql`(select * from ${ofSite(compilation, table)} and ${within(TIME[table], span)}${ofSample(compilation, table)})`;
}

function ofSite({ context: { site, snapshot } }: Compilation, table: StoredTable): Sql {
  return sql`${lakeTable(table, snapshot)} where site_id = ${site.siteId}`;
}

/** Returns the lake's visits; visits that PostgreSQL has in a newer state are read from there. */
function visitRows(compilation: Compilation, span: Span): Sql {
  const stored = storedRows(compilation, 'visits', span);
  if (!compilation.context.hasFresh) return stored;
  const fresh = raw(FRESH_VISITS);
  const ofSpan = sql`${within(TIME.visits, span)}${ofSample(compilation, 'visits')}`;
  return sql`(from ${stored} as old anti join ${fresh} as fresh on fresh.visit_id = old.visit_id union all by name from ${fresh} where ${ofSpan})`;
}

/**
 * Returns the condition of a sample. A sample of persons reads more rows than it counts, so that each row finds its
 * visit; sampledRows.ts leaves out the rest.
 */
function ofSample({ sample }: Compilation, table: LakeTable): Sql {
  if (sample === null) return NOTHING;
  const { visitor_bucket: bucket, visitor_id: visitor } = LAKE[table];
  const byBucket = call('isBucketInSample', bucket);
  if (sample === 'visitors') return sql` and ${byBucket}`;
  const ways = [byBucket, sql`${visitor} is null`, sql`${visitor} in (select visitor_id from visitors_of_sample)`];
  return sql` and (${join(ways, ' or ')})`;
}
