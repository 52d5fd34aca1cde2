/** A request's segment, as conditions on rows of any level. */
import type { RowLevel } from '../registry/index.ts';
import type { Build } from './build.ts';
import { compileSegment, type SegmentRows } from './segment.ts';
import { detailsOf, factSpan, factVisits, LETTER, periodVisits } from './sources.ts';
import { clockOf, termsOf } from './terms.ts';

export interface ReportSegment {
  scope: 'visit' | 'visitor';
  /** Joins to the visit `v`, before the conditions of {@link ReportSegment.of}. */
  joins: readonly string[];
  /** @param letter of the row: `v` of visits and hits, else of the fact, whose visit is `v` where the scope is a visit */
  of(letter: string): string;
}

/** @param hasFacts whether visits from before the period are asked too, those of its facts */
export function reportSegment(build: Build, hasFacts: boolean): ReportSegment | null {
  const { segment } = build.request;
  if (segment === null) return null;
  const span = hasFacts && segment.scope === 'visit' ? factSpan(build) : build.period;
  const visits = hasFacts && segment.scope === 'visit' ? factVisits(build) : periodVisits(build);
  const rows: SegmentRows = {
    bind: build.bind,
    terms: (_level: RowLevel, param) => termsOf(build, param, { localTime: clockOf(build, 'v.started_at', span) }),
    visits: `${visits} as v`,
    periodVisits: `${periodVisits(build)} as v`,
    details: (level) => `${detailsOf(build, level, span)} as ${LETTER[level]}`,
  };
  const { ctes, joins, predicate } = compileSegment(segment, rows);
  for (const { name, sql } of ctes) build.cte(name, () => sql);
  return {
    scope: segment.scope,
    joins,
    of(letter) {
      if (letter === 'v') return predicate;
      // A fact without a visit is in no segment, whatever its conditions say of nothing.
      return segment.scope === 'visit'
        ? `(v.visit_id is not null and ${predicate})`
        : `${letter}.visitor_id in (select visitor_id from segment_chosen)`;
    },
  };
}
