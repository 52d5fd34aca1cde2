/** Selects the rows of a level that `robots` admits in the period, joined with visits only if the report needs them. */
import { COLUMNS, LETTER, type RowLevel } from '../../registry/index.ts';
import { raw, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import { periodHits, type HitNeeds } from './periodHits.ts';
import type { ResolvedRequest } from '../request/resolvedRequest.ts';
import {
  factVisits,
  formerRobotVisits,
  isFact,
  periodFacts,
  periodVisits,
  robotVisits,
  uncountedVisits,
  type FactLevel,
} from './periodRows.ts';

const VISIT_ID = COLUMNS.visit.visit_id;

/** Joins a line with its order. */
export const IS_LINE_OF = sql`${COLUMNS.order.transaction_id} = ${COLUMNS.product.transaction_id} and ${COLUMNS.order.status} = ${COLUMNS.product.status}`;

/**
 * Returns the text after `from`, before other joins.
 * @param asksVisit whether an expression names the visit `v`
 */
export function rowsWithVisits(
  compilation: Compilation,
  resolved: ResolvedRequest,
  { level, hits }: { level: RowLevel; hits: HitNeeds },
  asksVisit: boolean,
): Sql[] {
  if (level === 'visit') return [sql`${periodVisits(compilation)} as v`];
  return level === 'hit' ? hitRows(compilation, hits, asksVisit) : factRows(compilation, resolved, level, asksVisit);
}

/** Reads hits. If nothing needs the visits, it only leaves out the hits of visits that do not count, which are few. */
function hitRows(compilation: Compilation, needs: HitNeeds, asksVisit: boolean): Sql[] {
  const hits = sql`${periodHits(compilation, needs)} as h`;
  const ofHit = COLUMNS.hit.visit_id;
  // Not "=": DuckDB would filter the hits by the visits before it joins them, though nearly all of them pass.
  if (asksVisit || compilation.request.robots === 'only')
    return [hits, sql`join ${periodVisits(compilation)} as v on ${VISIT_ID} is not distinct from ${ofHit}`];
  return [hits, sql`anti join ${uncountedVisits(compilation)} as uncounted on uncounted.visit_id = ${ofHit}`];
}

function factRows(compilation: Compilation, resolved: ResolvedRequest, level: FactLevel, asksVisit: boolean): Sql[] {
  const { robots } = compilation.request;
  const asksOrder = [...resolved.dimensions, ...resolved.filters].some(({ dimension }) => dimension.level === 'order');
  const withOrder = level === 'product' && asksOrder;
  const ofFact = COLUMNS[level].visit_id;
  const rows = [
    sql`${periodFacts(compilation, level)} as ${raw(LETTER[level])}`,
    ...(withOrder ? [sql`join ${periodFacts(compilation, 'order')} as o on ${IS_LINE_OF}`] : []),
  ];
  if (asksVisit) return [...rows, sql`left join ${factVisits(compilation)} as v on ${VISIT_ID} = ${ofFact}`];
  if (robots === 'include') return rows;
  const way = raw(robots === 'only' ? 'semi join' : 'anti join');
  return [...rows, sql`${way} ${robotVisits(compilation)} as robot on robot.visit_id = ${ofFact}`];
}

/**
 * Returns the conditions for facts with their visits. A fact without a visit belongs to no robot, but one whose visit
 * was removed may.
 */
export function robotConditions(compilation: Compilation, level: RowLevel): Sql[] {
  const { robots } = compilation.request;
  if (!isFact(level) || robots === 'include') return [];
  const former = sql`coalesce(${COLUMNS[level].visit_id} in (select visit_id from ${formerRobotVisits(compilation)}), false)`;
  const isRobot = sql`(${COLUMNS.visit.is_robot} is true or ${former})`;
  return [robots === 'only' ? isRobot : sql`not ${isRobot}`];
}
