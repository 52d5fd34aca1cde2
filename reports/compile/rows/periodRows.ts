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
export function periodVisits(compilation: Compilation): Sql {
  const { robots } = compilation.request;
  const conditions = robots === 'include' ? [] : [robots === 'only' ? IS_ROBOT : sql`not ${IS_ROBOT}`];
  return view(
    'period_visits',
    sql`select * from ${rowsOf(compilation, 'visits', compilation.period, conditions)} as visits`,
  );
}

/** Returns the span in which the visits of the period's facts begin. */
export function factSpan({ period, context }: Compilation): Span {
  return visitsOfFacts(period, context.refundedFrom);
}

/** Returns those visits, including the visits of robots. */
export function factVisits(compilation: Compilation): Sql {
  return view('fact_visits', sql`select * from ${rowsOf(compilation, 'visits', factSpan(compilation))} as visits`);
}

/** Returns the ids of the robot visits among them, including removed ones. */
export function robotVisits(compilation: Compilation): Sql {
  const robots = rowsOf(compilation, 'visits', factSpan(compilation), [IS_ROBOT]);
  return view(
    'robot_visits',
    sql`select ${VISIT_ID} from ${robots} as robots union all select visit_id from ${formerRobotVisits(compilation)}`,
  );
}

/** Returns the ids of removed robot visits that facts of the period may belong to. */
export function formerRobotVisits(compilation: Compilation): Sql {
  return view('former_robots', formerRobots(compilation, factSpan(compilation)));
}

/**
 * Returns the ids of all visits that do not count in the period although {@link detailsOf} may have their hits: the
 * visit began before or after the period, belongs to a robot, or cannot be read. Every other visit counts, because a
 * hit is stored with its visit.
 */
export function uncountedVisits(compilation: Compilation): Sql {
  const { period, request, context } = compilation;
  const outside = sql`${STARTED_AT} < ${timestamp(period.from)} or ${STARTED_AT} >= ${timestamp(period.to)}`;
  const uncounted = request.robots === 'include' ? outside : sql`${outside} or ${IS_ROBOT}`;
  const ids = (conditions: readonly Sql[]): Sql =>
    sql`select ${VISIT_ID} from ${rowsOf(compilation, 'visits', visitsOfHits(period), conditions)} as visits`;
  const found = ids([sql`(${uncounted})`]);
  // A visit that was left out may still be in the lake in its state before the change, and is judged by that row.
  const leftOut = sql` union all select visit_id from ${raw(LEFT_OUT)} where visit_id not in (${ids([])})`;
  return view('uncounted_visits', context.hasLeftOut ? sql`${found}${leftOut}` : found);
}

/** Returns conversions, orders or lines whose own time is in the period. */
export function periodFacts(compilation: Compilation, level: FactLevel): Sql {
  return rowsOf(compilation, FACT_TABLE[level], compilation.period);
}

/** Returns all hits except pings, or all facts, that may belong to visits which began in a span. */
export function detailsOf(compilation: Compilation, level: DetailLevel, span: Span = compilation.period): Sql {
  const { lateMs } = compilation.period;
  if (level === 'hit')
    return rowsOf(compilation, 'hits', hitsOfVisits(span, lateMs), [sql`${LAKE.hits.type} <> 'ping'`]);
  return rowsOf(
    compilation,
    FACT_TABLE[level],
    level === 'goal' ? conversionsOfVisits(span, lateMs) : ordersOfVisits(span),
  );
}
