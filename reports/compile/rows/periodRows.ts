/** Selects the rows of the period at each level. Only the period and `robots` apply here; other conditions follow. */
import type { LakeTable } from '../../../domain/reports/lakeRows.ts';
import { LEFT_OUT } from '../../lake/tables.ts';
import type { RowLevel } from '../../registry/index.ts';
import { raw, relation, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import { formerRobots, LAKE, rowsOf } from './lakeRows.ts';
import {
  conversionsOfVisits,
  hitsOfVisits,
  ordersOfVisits,
  timestamp,
  visitsOfFacts,
  visitsOfHits,
  type Span,
} from '../context/period.ts';

export type FactLevel = Exclude<RowLevel, 'visit' | 'hit'>;
export type DetailLevel = Exclude<RowLevel, 'visit'>;

export const isFact = (level: RowLevel): level is FactLevel => level !== 'visit' && level !== 'hit';

const FACT_TABLE: Readonly<Record<FactLevel, LakeTable>> = {
  goal: 'conversions',
  order: 'orders',
  product: 'order_lines',
};

const { visit_id: VISIT_ID, is_robot: IS_ROBOT, started_at: STARTED_AT } = LAKE.visits;

/** Returns plain rows of the lake. DuckDB reads them again each time, which costs less than keeping them. */
const view = (name: string, body: Sql): Sql => relation(name, body, { isMaterialised: false });

/** Returns visits of the period that `robots` admits. */
export function periodVisits(build: Compilation): Sql {
  const { robots } = build.request;
  const conditions = robots === 'include' ? [] : [robots === 'only' ? IS_ROBOT : sql`not ${IS_ROBOT}`];
  return view('period_visits', sql`select * from ${rowsOf(build, 'visits', build.period, conditions)} as visits`);
}

/** Returns the span in which the visits of the period's facts begin. */
export function factSpan({ period, context }: Compilation): Span {
  return visitsOfFacts(period, context.refundedFrom);
}

/** Returns those visits, including the visits of robots. */
export function factVisits(build: Compilation): Sql {
  return view('fact_visits', sql`select * from ${rowsOf(build, 'visits', factSpan(build))} as visits`);
}

/** Returns the ids of the robot visits among them, including removed ones. */
export function robotVisits(build: Compilation): Sql {
  const robots = rowsOf(build, 'visits', factSpan(build), [IS_ROBOT]);
  return view(
    'robot_visits',
    sql`select ${VISIT_ID} from ${robots} as robots union all select visit_id from ${formerRobotVisits(build)}`,
  );
}

/** Returns the ids of removed robot visits that facts of the period may belong to. */
export function formerRobotVisits(build: Compilation): Sql {
  return view('former_robots', formerRobots(build, factSpan(build)));
}

/**
 * Returns the ids of all visits that do not count in the period although {@link detailsOf} may have their hits: the
 * visit began before or after the period, belongs to a robot, or cannot be read. Every other visit counts, because a
 * hit is stored with its visit.
 */
export function uncountedVisits(build: Compilation): Sql {
  const { period, request, context } = build;
  const outside = sql`${STARTED_AT} < ${timestamp(period.from)} or ${STARTED_AT} >= ${timestamp(period.to)}`;
  const uncounted = request.robots === 'include' ? outside : sql`${outside} or ${IS_ROBOT}`;
  const ids = (conditions: readonly Sql[]): Sql =>
    sql`select ${VISIT_ID} from ${rowsOf(build, 'visits', visitsOfHits(period), conditions)} as visits`;
  const found = ids([sql`(${uncounted})`]);
  // A visit that was left out may still be in the lake in its state before the change, and is judged by that row.
  const leftOut = sql` union all select visit_id from ${raw(LEFT_OUT)} where visit_id not in (${ids([])})`;
  return view('uncounted_visits', context.hasLeftOut ? sql`${found}${leftOut}` : found);
}

/** Returns conversions, orders or lines whose own time is in the period. */
export function periodFacts(build: Compilation, level: FactLevel): Sql {
  return rowsOf(build, FACT_TABLE[level], build.period);
}

/** Returns all hits except pings, or all facts, that may belong to visits which began in a span. */
export function detailsOf(build: Compilation, level: DetailLevel, span: Span = build.period): Sql {
  const { lateMs } = build.period;
  if (level === 'hit') return rowsOf(build, 'hits', hitsOfVisits(span, lateMs), [sql`${LAKE.hits.type} <> 'ping'`]);
  return rowsOf(build, FACT_TABLE[level], level === 'goal' ? conversionsOfVisits(span, lateMs) : ordersOfVisits(span));
}
