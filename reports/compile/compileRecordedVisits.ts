/** The recorded visits of a segment, as one statement. */
import type { VisitsQuestion } from '../mapAndVisitQuestions.ts';
import { call, column, raw, sql } from '../sql/index.ts';
import { compilationOf, type CompileContext } from './context/compileContext.ts';
import { chosenVisits, requestOf } from './conditions/chosenVisits.ts';
import { compiled, type Compiled } from './compiled.ts';

/** Maximum number of recorded visits in the answer: the newest. */
const MAX_RECORDED_VISITS = 20_000;

/** The temporary table of recorded visitors (reports/run/recordedVisits.ts). */
export const RECORDED = 'recorded_visitors';

/** Compiles a statement that returns rows `{visit_id VARCHAR}`, the newest first. */
export function compileRecordedVisits(question: VisitsQuestion, context: CompileContext): Compiled {
  const chosen = chosenVisits(compilationOf(requestOf(question), context));
  return compiled(
    sql`select ${call('text', column(null, 'visit_id'))} as visit_id from ${chosen} where visitor_id in (select visitor_id from ${raw(RECORDED)}) order by started_at desc, visit_id limit ${raw(String(MAX_RECORDED_VISITS))}`,
    context.dialect,
  );
}
