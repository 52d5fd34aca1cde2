/** The visits that a question is about: the visits of its days, without robots, that are in its segment. */
import { COLUMNS } from '../../registry/index.ts';
import type { ReportRequest, Segment } from '../../reportRequest.ts';
import { column, join, relation, sql, where, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import { neededJoins } from '../rows/joins.ts';
import { asksAudience } from '../request/peopleNeeds.ts';
import { personOf } from '../rows/personOfRow.ts';
import { reportSegment } from './reportSegment.ts';
import { sampledRows } from '../rows/sampledRows.ts';
import { periodVisits } from '../rows/periodRows.ts';

/** Returns a report request with the days and the segment of a question. */
export function requestOf(question: { date_from: string; date_to: string; segment: Segment | null }): ReportRequest {
  const { date_from, date_to, segment } = question;
  return {
    dimensions: [],
    metrics: [],
    date_from,
    date_to,
    filters: [],
    segment,
    attribution: 'last_significant',
    robots: 'exclude',
    sort: [],
    limit: 1,
    offset: 0,
  };
}

/**
 * Returns a table of `visit_id`, `visitor_id`, `started_at`. It is empty if the segment asks about an audience and has
 * fewer people than may be shown.
 */
export function chosenVisits(compilation: Compilation, device: string | null = null): Sql {
  const segment = reportSegment(compilation, false);
  const sample = sampledRows(compilation, 'visit', null);
  const conditions = [
    ...(device === null ? [] : [sql`${COLUMNS.visit.device_type} = ${device}`]),
    ...(segment === null ? [] : [segment.condition('visit')]),
    ...(sample === null ? [] : [sample.where]),
  ];
  const joins = neededJoins([...(segment?.joins ?? []), ...(sample === null ? [] : [sample.join])], conditions);
  const { visit_id: visit, visitor_id: visitor, started_at: start } = COLUMNS.visit;
  const rows = sql`select ${join([visit, visitor, start])} from ${periodVisits(compilation)} as v ${join(joins, ' ')}${where(conditions)}`;
  return relation('chosen', ofEnoughPeople(compilation, rows));
}

/** Hides results about too few people, as reports do (peopleThreshold.ts). */
function ofEnoughPeople({ context: { audienceMinPeople: minPeople }, request }: Compilation, rows: Sql): Sql {
  if (minPeople <= 1 || !asksAudience(request)) return rows;
  const found = relation('found', rows);
  const { join: link, person } = personOf({ visitor: column('f', 'visitor_id') });
  return sql`select * from ${found} where (select count(distinct ${person}) from ${found} as f ${link.clause}) >= ${minPeople}`;
}
