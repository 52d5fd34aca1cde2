/** The rows that a report counts, level by level, before anything is filtered but period and robots. */
import type { LakeTable } from '../../domain/lakeRows.ts';
import type { HitColumns, RowLevel } from '../registry/index.ts';
import { formerRobots, rowsOf, type Build } from './build.ts';
import { LEFT_OUT } from '../lake/tables.ts';
import {
  conversionsOfVisits,
  hitsOfVisits,
  ordersOfVisits,
  timestamp,
  visitsOfFacts,
  visitsOfHits,
  type Span,
} from './period.ts';

/** By which an expression of the registry names a row's columns. */
export const LETTER: Readonly<Record<RowLevel, string>> = { visit: 'v', hit: 'h', goal: 'c', order: 'o', product: 'l' };

export type FactLevel = Exclude<RowLevel, 'visit' | 'hit'>;
const FACT_TABLE: Readonly<Record<FactLevel, LakeTable>> = {
  goal: 'conversions',
  order: 'orders',
  product: 'order_lines',
};

/** Visits of the period that `robots` lets in. */
export function periodVisits(build: Build): string {
  const { robots } = build.request;
  const where = robots === 'include' ? [] : [robots === 'only' ? 'is_robot' : 'not is_robot'];
  return build.view('period_visits', () => `from ${rowsOf(build, 'visits', build.period, where)}`);
}

/** In which all visits begin that facts of the period may be of. */
export function factSpan({ period, context }: Build): Span {
  return visitsOfFacts(period, context.refundedFrom);
}

/** Those visits, robots too. */
export function factVisits(build: Build): string {
  return build.view('fact_visits', () => `from ${rowsOf(build, 'visits', factSpan(build))}`);
}

/** Robots' visits among them, and those that are no more. */
export function robotVisits(build: Build): string {
  return build.view(
    'robot_visits',
    () =>
      `select visit_id from ${rowsOf(build, 'visits', factSpan(build), ['is_robot'])} union all from ${formerRobotVisits(build)}`,
  );
}

/** Robots' visits that are no more, and that facts of the period may be of. */
export function formerRobotVisits(build: Build): string {
  return build.view('former_robots', () => formerRobots(build, factSpan(build)));
}

/**
 * Every visit that a hit of {@link detailsOf} may be of and that does not count in the period: it begins before or
 * after it, is a robot's, or is nowhere to be read. All others are there, for a hit comes with its visit.
 */
export function uncountedVisits(build: Build): string {
  const { period, request } = build;
  const outside = `started_at < ${timestamp(period.from)} or started_at >= ${timestamp(period.to)}`;
  const rows = (where: readonly string[]): string =>
    `select visit_id from ${rowsOf(build, 'visits', visitsOfHits(period), where)}`;
  return build.view('uncounted_visits', () => {
    const found = rows([`(${outside}${request.robots === 'include' ? '' : ' or is_robot'})`]);
    // The lake may have one as it was before it changed.
    return build.context.hasLeftOut ? `${found} union all from ${LEFT_OUT} where visit_id not in (${rows([])})` : found;
  });
}

/** Facts of the period by their own time. */
export function periodFacts(build: Build, level: FactLevel): string {
  return rowsOf(build, FACT_TABLE[level], build.period);
}

/** All hits but pings, or all facts, that visits which begin in a span may have. */
export function detailsOf(build: Build, level: Exclude<RowLevel, 'visit'>, span: Span = build.period): string {
  if (level === 'hit') return rowsOf(build, 'hits', hitsOfVisits(span, build.period.lateMs), [`type <> 'ping'`]);
  return rowsOf(
    build,
    FACT_TABLE[level],
    level === 'goal' ? conversionsOfVisits(span, build.period.lateMs) : ordersOfVisits(span),
  );
}

/** The same hits, with what page views know of the others of their visit as far as it is asked for. */
export function periodHits(build: Build, columns: ReadonlySet<HitColumns>): string {
  if (columns.size === 0) return detailsOf(build, 'hit');
  return build.cte('period_hits', () => {
    const types = columns.has('scroll') ? `('pageview', 'scroll')` : `('pageview')`;
    const hits = detailsOf(build, 'hit');
    const views = `(from ${hits} where type in ${types})`;
    const scrolled = columns.has('scroll') ? withScroll(views) : views;
    // Nothing else is put in order: that costs more than all the rest of a report.
    return `from ${columns.has('sequence') ? withSequence(scrolled) : scrolled} union all by name from ${hits} where type not in ${types}`;
  });
}

/** Page views of a visit by their time, then by their id. */
const withSequence = (hits: string): string => `(
  select *, lag("at") over views is null as is_entrance, lead("at") over views as next_at, next_at is null as is_exit
    from ${hits} window views as (partition by visit_id, type = 'pageview' order by "at", hit_id))`;

/** The deepest scroll between a page view and the next one of the same address, which is known by its hash within a visit. */
const withScroll = (hits: string): string => `(
  select *, coalesce(max(depth) filter (where type = 'scroll') over (partition by visit_id, hash(page_url), view_number), 0) as scroll_depth
    from (select *, count(*) filter (where type = 'pageview') over (partition by visit_id, hash(page_url) order by "at", hit_id rows unbounded preceding) as view_number from ${hits}))`;
