/** What the parts of the compiler share while they make one statement. */
import type { DuckDBValue } from '@duckdb/node-api';
import type { LakeTable } from '../../domain/lakeRows.ts';
import { FORMER_ROBOTS } from '../lake/formerRobots.ts';
import { FRESH_VISITS } from '../lake/tables.ts';
import { isBucketInSample, type Sample } from '../people/index.ts';
import type { ReportRequest, ReportSite } from '../request.ts';
import { sampleOf } from './peopleNeeds.ts';
import { periodOf, timestamp, type Period, type Span } from './period.ts';

export interface CompileContext {
  site: ReportSite;
  /** The lake's version that is read, the one that `fresh_visits` go with; null: the newest. */
  snapshot: number | null;
  /** Whether `fresh_visits` has rows: visits that the lake does not have as they are. */
  hasFresh: boolean;
  /** Whether `left_out_visits` has rows: visits that are neither in the lake nor fresh, and yet have hits. */
  hasLeftOut: boolean;
  /** When the oldest visit began that a refund of the period is of (refundedFrom.ts), epoch milliseconds; null: there is none, or nothing is asked of it. */
  refundedFrom: number | null;
  /** A tenth of the visitors or persons, counts and sums tenfold. */
  sampled: boolean;
  /** LATE_EVENT_HOURS. */
  lateEventHours: number;
  /** AUDIENCE_MIN_PEOPLE: rows and totals of an audience of fewer are not shown. */
  audienceMinPeople: number;
}

export interface Build {
  readonly request: ReportRequest;
  readonly context: CompileContext;
  readonly period: Period;
  /** What there is a tenth of; null: of nothing. */
  readonly sample: Sample | null;
  readonly params: readonly DuckDBValue[];
  /** @returns the placeholder of a value; a value that is bound already has one */
  bind(value: string | number): string;
  /** A common table expression, made the first time. @returns its name */
  cte(name: string, sql: () => string): string;
  /** The same for plain rows of the lake: DuckDB is to read them again where they are named again, and not to keep them, which costs more. */
  view(name: string, sql: () => string): string;
  /** By name what stands after it. */
  readonly ctes: ReadonlyMap<string, string>;
}

export function createBuild(request: ReportRequest, context: CompileContext): Build {
  const placeholders = new Map<string | number, string>();
  const params: DuckDBValue[] = [];
  const ctes = new Map<string, string>();
  const add = (name: string, words: string, sql: () => string): string => {
    // Those that it is made of go before it.
    if (!ctes.has(name)) {
      const text = sql();
      ctes.set(name, `${words} (${text})`);
    }
    return name;
  };
  return {
    request,
    context,
    params,
    ctes,
    sample: sampleOf(request, context.sampled),
    period: periodOf(request, context.site.timezone, context.lateEventHours),
    bind(value) {
      const known = placeholders.get(value);
      if (known !== undefined) return known;
      params.push(value);
      placeholders.set(value, `$${params.length}`);
      return `$${params.length}`;
    },
    cte: (name, sql) => add(name, 'as', sql),
    view: (name, sql) => add(name, 'as not materialized', sql),
  };
}

/** The time by which rows are found and files left out. */
const TIME: Readonly<Record<LakeTable, string>> = {
  hits: 'visit_started_at',
  visits: 'started_at',
  conversions: 'at',
  orders: 'at',
  order_lines: 'at',
};

/** All rows of the site in a span, those that a sample needs where there is one: to be read from, in brackets. */
export function rowsOf(build: Build, table: LakeTable, span: Span, where: readonly string[] = []): string {
  return `(select * from ${table === 'visits' ? visitRows(build, span) : lakeRows(build, table, span)}${where.length === 0 ? '' : ` where ${where.join(' and ')}`})`;
}

function lakeRows(build: Build, table: LakeTable, span: Span): string {
  return `(select * from ${ofSite(build, table)} and ${within(TIME[table], span)}${bucket(build)})`;
}

/** Ids of robots' visits of a span that the lake has no more, though it has facts of them. */
export function formerRobots(build: Build, span: Span): string {
  return `select visit_id from ${ofSite(build, FORMER_ROBOTS)} and ${within('started_at', span)}`;
}

function ofSite(build: Build, table: LakeTable | typeof FORMER_ROBOTS): string {
  const { site, snapshot } = build.context;
  const version = snapshot === null ? '' : ` at (version => ${snapshot})`;
  return `lake.${table}${version} where site_id = ${build.bind(site.siteId)}`;
}

/** The lake's visits, but of those that have changed since the ones that PostgreSQL has. */
function visitRows(build: Build, span: Span): string {
  const lake = lakeRows(build, 'visits', span);
  if (!build.context.hasFresh) return lake;
  return `(from ${lake} as old anti join ${FRESH_VISITS} as fresh on fresh.visit_id = old.visit_id union all by name from ${FRESH_VISITS} where ${within('started_at', span)}${bucket(build)})`;
}

const within = (column: string, { from, to }: Span): string =>
  `"${column}" >= ${timestamp(from)} and "${column}" < ${timestamp(to)}`;

/** Of persons more than are counted, so that what is counted finds whatever it is asked for: sample.ts leaves out the rest. */
function bucket({ sample }: Build): string {
  if (sample === null) return '';
  const byBucket = isBucketInSample('visitor_bucket');
  return sample === 'visitors'
    ? ` and ${byBucket}`
    : ` and (${byBucket} or visitor_id is null or visitor_id in (select visitor_id from visitors_of_sample))`;
}
