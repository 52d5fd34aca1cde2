/**
 * The answers of a period and their outcomes, counted from snapshots and from the events that name their answers
 * (docs/decisions/experiments.md). Grouped by any of surface, position, variant and day (UTC).
 */
import type pg from 'pg';
import { POSITION_BUCKETS } from '../../domain/output/impressions.ts';
import type { PersonSums } from '../../domain/experiments/rates.ts';
import { AMOUNT_OF_EVENT } from '../events/sumsWithinRange.ts';
import { inTransaction } from '../pool.ts';

export const REPORT_GROUPS = ['surface', 'position', 'variant', 'day'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];
export const OUTCOMES = ['opens', 'goals', 'purchases', 'revenue'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface ReportQuery {
  projectId: string;
  from: Date;
  /** Exclusive. */
  until: Date;
  /** Null means all. */
  surface: string | null;
  group: readonly ReportGroup[];
}

/**
 * The group of a row; fields that are not grouped by are null. An unknown surface is '', and so is a missing variant.
 */
export type ReportKey = Record<Exclude<ReportGroup, 'position'>, string | null> & {
  /** The first position of its bucket; -1 for an impression without one. */
  position: number | null;
};

export interface ReportTotals extends ReportKey {
  requests: number;
  fallbacks: number;
  /**
   * In these sums x is the number of requests and y that of outcomes. A request without a person counts as a person of
   * its own.
   */
  sums: Record<Outcome, PersonSums>;
}

export interface ReportLatency extends ReportKey {
  p50: number | null;
  p95: number | null;
}

export interface ReportImpressions extends ReportKey {
  count: number;
}

export interface OutputReport {
  totals: ReportTotals[];
  latencies: ReportLatency[];
  impressions: ReportImpressions[];
}

/** Maximum number of rows of a report; further ones are cut off. */
export const REPORT_ROWS = 5_000;
/** Number of days after an answer for which its outcomes are counted. */
const OUTCOME_DAYS = 7;
const TIMEOUT_MS = 20_000;

/** Runs the statements of a report. @throws a statement timeout (db/errors.ts) after 20 s */
export function inReport<T>(pool: pg.Pool, work: (ask: Ask) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query(
      // The report may use one core only, because the intake shares the machine.
      `set transaction isolation level repeatable read read only; set local statement_timeout = ${TIMEOUT_MS};
       set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0`,
    );
    // The pool's own limit is meant for requests that must be answered quickly.
    return work(async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => {
      const statement = { text, values: [...values], query_timeout: TIMEOUT_MS + 500 };
      return (await client.query<Row>(statement)).rows;
    });
  });
}

/** Runs one statement of a report. */
export type Ask = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>;

export async function readReport(ask: Ask, wanted: ReportQuery): Promise<OutputReport> {
  return {
    totals: await readTotals(ask, wanted),
    latencies: await ask<ReportLatency>(
      `select ${RETURNED_KEYS}, percentile_cont(0.5) within group (order by latency_ms) as p50,
              percentile_cont(0.95) within group (order by latency_ms) as p95
         from (${pagesOf(wanted)}) as page group by ${KEYS} ${FIRST_ROWS}`,
      valuesOf(wanted),
    ),
    impressions: await ask<ReportImpressions>(
      `select ${RETURNED_KEYS}, sum(count)::float8 as count from (
         select ${keysOf(wanted, { surface: 'surface', variant: 'variant', day: 'day', position: 'position_bucket' })}, count
           from output_impressions
          where project_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date and day < ($3::timestamptz at time zone 'UTC')::date
            and ($4::text is null or surface = $4)) as counted
        group by ${KEYS} ${FIRST_ROWS}`,
      valuesOf(wanted),
    ),
  };
}

const KEYS = 'surface, position, variant, day';
/** Days are grouped as dates, which is faster, and returned as text. */
const RETURNED_KEYS = 'surface, position, variant, day::text as day';
const FIRST_ROWS = `order by day, surface, variant, position limit ${REPORT_ROWS + 1}`;
const valuesOf = ({ projectId, from, until, surface }: ReportQuery): unknown[] => [projectId, from, until, surface];

/** Returns the columns that rows are grouped by; the others are the same in all rows. */
function keysOf({ group }: ReportQuery, columns: Record<ReportGroup, string>): string {
  const column = (name: ReportGroup, type: string): string =>
    `${group.includes(name) ? columns[name] : 'null'}::${type} as ${name}`;
  return [column('surface', 'text'), column('position', 'int'), column('variant', 'text'), column('day', 'date')].join(
    ', ',
  );
}

const OF_PERIOD =
  's.project_id = $1 and s.created_at >= $2 and s.created_at < $3 and ($4::text is null or s.surface = $4)';
const SURFACE = `coalesce(s.surface, '')`;
const VARIANT = `coalesce(s.variant, '')`;
const DAY = `(s.created_at at time zone 'UTC')::date`;
/** An answer to an unknown person counts as a person of its own. */
const PERSON = `coalesce(s.identity_id, -1 - (hashtextextended(s.id, 0) & 4611686018427387903)) as person`;
const BUCKETS = `array[${POSITION_BUCKETS.join(', ')}]`;
/** The first position of each bucket, and the first one after it. */
const BUCKET_RANGES = POSITION_BUCKETS.map((first, at) => `(${first}, ${POSITION_BUCKETS[at + 1] ?? 1_000_000_000})`);

/**
 * Returns a query of the answered pages; when grouped by position, a page counts once for each bucket in which it has
 * items.
 */
function pagesOf(wanted: ReportQuery): string {
  const buckets = wanted.group.includes('position')
    ? `join (values ${BUCKET_RANGES.join(', ')}) as b (first, next)
         on s.first_position < b.next and s.first_position + cardinality(s.item_ids) > b.first`
    : '';
  const keys = keysOf(wanted, { surface: SURFACE, variant: VARIANT, day: DAY, position: 'b.first' });
  return `select ${keys}, ${PERSON}, s.mode = 'fallback' as is_fallback, s.latency_ms from output_snapshots s ${buckets} where ${OF_PERIOD}`;
}

interface CountedTypes {
  opens: string[];
  goals: string[];
  purchases: string[];
  /** Those types of opens and goals whose events are kept as states. */
  states: string[];
}

async function readTypes(ask: Ask, projectId: string): Promise<CountedTypes> {
  const [types] = await ask<CountedTypes>(
    `select coalesce(array_agg(code) filter (where is_open), '{}') as opens,
            coalesce(array_agg(code) filter (where is_goal), '{}') as goals,
            coalesce(array_agg(code) filter (where is_purchase), '{}') as purchases,
            coalesce(array_agg(code) filter (where mode <> 'fact' and (is_open or is_goal)), '{}') as states
       from event_types where project_id = $1`,
    [projectId],
  );
  return types ?? { opens: [], goals: [], purchases: [], states: [] };
}

type TotalsRow = ReportKey & { people: number; requests: number; fallbacks: number; xx: number } & Record<
    Outcome | `${Outcome}_yy` | `${Outcome}_xy`,
    number
  >;

/** Counts requests and their outcomes for a report, without latencies and impressions. */
export async function readTotals(ask: Ask, wanted: ReportQuery): Promise<ReportTotals[]> {
  const types = await readTypes(ask, wanted.projectId);
  const rows = await ask<TotalsRow>(totalsOf(wanted, types.states.length > 0), [
    ...valuesOf(wanted),
    types.opens,
    types.goals,
    types.purchases,
    ...(types.states.length > 0 ? [types.states] : []),
  ]);
  return rows.map(({ surface, position, variant, day, people, requests, fallbacks, xx, ...sums }) => {
    const sumsOf = (outcome: Outcome): PersonSums => ({
      people,
      x: requests,
      y: sums[outcome],
      xx,
      yy: sums[`${outcome}_yy`],
      xy: sums[`${outcome}_xy`],
    });
    return {
      surface,
      position,
      variant,
      day,
      requests,
      fallbacks,
      sums: {
        opens: sumsOf('opens'),
        goals: sumsOf('goals'),
        purchases: sumsOf('purchases'),
        revenue: sumsOf('revenue'),
      },
    };
  });
}

/**
 * Returns a query of the outcomes: events that name an answer of the period and an item of it, and purchases from
 * orders, which name no answer. Such a purchase counts when the person met the item by such an event before. When
 * several answers qualify, the last one gets the purchase. If that is not an answer of this report, no other one gets
 * it: each purchase counts for the same answer in every report.
 */
function outcomesOf(wanted: ReportQuery, hasStates: boolean): string {
  const bucket = `(${BUCKETS})[width_bucket(s.first_position + array_position(s.item_ids, e.item_id) - 1, ${BUCKETS})]`;
  const keys = keysOf(wanted, { surface: SURFACE, variant: VARIANT, day: DAY, position: bucket });
  const events = `
    select e.identity_id, e.item_id, e.type, e.occurred_at, e.recommendation_id, ${AMOUNT_OF_EVENT} as amount from events e
     where e.project_id = $1 and e.recommendation_id is not null
       and e.occurred_at >= $2::timestamptz - interval '1 hour' and e.occurred_at < $3::timestamptz + interval '${OUTCOME_DAYS} days'`;
  const states = `
    union all
    select e.identity_id, e.item_id, e.type, e.occurred_at, e.recommendation_id, 0 from event_states e
     where e.project_id = $1 and e.recommendation_id is not null and e.type = any($8::text[]) and e.value <> 0`;
  return `named as materialized (
    select ${keys}, ${PERSON}, s.created_at, e.identity_id, e.item_id, e.type, e.occurred_at, e.amount
      from (${events}${hasStates ? states : ''}) as e
      join output_snapshots s on s.project_id = $1 and s.id = e.recommendation_id and e.item_id = any(s.item_ids)
     where ${OF_PERIOD} and e.occurred_at < s.created_at + interval '${OUTCOME_DAYS} days'
  ), bought as (
    select ${KEYS}, person, type, amount from (
    select distinct on (e.id) ${KEYS.split(', ')
      .map((key) => `n.${key}`)
      .join(', ')}, n.person, e.type, ${AMOUNT_OF_EVENT} as amount,
           e.identity_id, e.item_id, e.occurred_at, n.occurred_at as met_at
      from named n join events e on e.project_id = $1 and e.identity_id = n.identity_id and e.item_id = n.item_id
     where e.type = any($7::text[]) and e.recommendation_id is null
       and e.occurred_at >= n.occurred_at and e.occurred_at < n.created_at + interval '${OUTCOME_DAYS} days'
     order by e.id, n.occurred_at desc) as b
     where not (${metLater('events')})${hasStates ? ` and not (${metLater('event_states')})` : ''}
  )`;
}

/**
 * Returns the condition that between the chosen event and the purchase `b` the person met the item through an answer
 * that is not in this report. It is checked for each purchase by an index (`offset 0`): as a join it would read all
 * events.
 */
function metLater(table: 'events' | 'event_states'): string {
  const isCounted = table === 'events' ? 'true' : 'e.type = any($8::text[]) and e.value <> 0';
  return `exists (
    select from ${table} e join output_snapshots s on s.project_id = $1 and s.id = e.recommendation_id and e.item_id = any(s.item_ids)
     where e.project_id = $1 and e.identity_id = b.identity_id and e.item_id = b.item_id and ${isCounted}
       and e.occurred_at > b.met_at and e.occurred_at <= b.occurred_at
       and b.occurred_at < s.created_at + interval '${OUTCOME_DAYS} days' and (${OF_PERIOD}) is not true
    offset 0)`;
}

function totalsOf(wanted: ReportQuery, hasStates: boolean): string {
  const sums = OUTCOMES.map(
    (y) => `sum(${y})::float8 as ${y}, sum(${y} * ${y})::float8 as ${y}_yy, sum(${y} * requests)::float8 as ${y}_xy`,
  );
  return `
    with pages as (${pagesOf(wanted)}), ${outcomesOf(wanted, hasStates)},
    outcomes as (
      select ${KEYS}, person, type, amount from named
      union all select ${KEYS}, person, type, amount from bought
    ), parts as (
      select ${KEYS}, person, 1 as requests, is_fallback::int as fallbacks, 0 as opens, 0 as goals, 0 as purchases, 0::float8 as revenue
        from pages
      union all
      select ${KEYS}, person, 0, 0, (type = any($5::text[]))::int, (type = any($6::text[]))::int, (type = any($7::text[]))::int,
             case when type = any($7::text[]) then amount else 0 end
        from outcomes
    ), people as (
      select ${KEYS}, person, sum(requests)::float8 as requests, sum(fallbacks)::float8 as fallbacks,
             ${OUTCOMES.map((y) => `sum(${y})::float8 as ${y}`).join(', ')}
        from parts group by ${KEYS}, person
    )
    select ${RETURNED_KEYS}, count(*)::int as people, sum(requests)::float8 as requests, sum(fallbacks)::float8 as fallbacks,
           sum(requests * requests)::float8 as xx, ${sums.join(', ')}
      from people group by ${KEYS} ${FIRST_ROWS}`;
}
