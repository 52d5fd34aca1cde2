/** The segment of a request as a condition on rows of any level. */
import { COLUMNS, LETTER, type RowLevel } from '../../registry/index.ts';
import { raw, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import type { Join } from '../rows/joins.ts';
import { localTime } from '../context/period.ts';
import { compileSegment } from './segment.ts';
import { detailsOf, factSpan, factVisits, isFact, periodVisits } from '../rows/periodRows.ts';

export interface ReportSegment {
  /** Joins to the visit `v` that the condition may name. */
  joins: readonly Join[];
  /** Returns the condition that a row is in the segment. For a segment of visits, a fact is judged by its visit `v`. */
  condition(level: RowLevel): Sql;
}

/** @param hasFacts whether the report counts facts, whose visits may have begun before the period */
export function reportSegment(compilation: Compilation, hasFacts: boolean): ReportSegment | null {
  const { segment } = compilation.request;
  if (segment === null) return null;
  const isWide = hasFacts && segment.scope === 'visit';
  const span = isWide ? factSpan(compilation) : compilation.period;
  const { joins, predicate, visitors } = compileSegment(segment, {
    compilation,
    rowTime: localTime(COLUMNS.visit.started_at, compilation.period.zone, span),
    visits: sql`${isWide ? factVisits(compilation) : periodVisits(compilation)} as v`,
    periodVisits: sql`${periodVisits(compilation)} as v`,
    details: (level) => sql`${detailsOf(compilation, level, span)} as ${raw(LETTER[level])}`,
  });
  return {
    joins,
    condition(level) {
      if (!isFact(level)) return predicate;
      // A fact without a visit is in no segment, even if a condition holds for nulls.
      if (visitors === null) return sql`(${COLUMNS.visit.visit_id} is not null and ${predicate})`;
      return sql`${COLUMNS[level].visitor_id} in ${visitors}`;
    },
  };
}
