/** Which columns of its visits a report reads: of open ones no others need be made of their JSON. */
import { compileReport, type CompileContext } from '../compile/index.ts';
import { TABLES } from '../lake/tables.ts';
import type { ReportRequest } from '../request.ts';

const NAMES = new Set(Object.keys(TABLES.visits));

/**
 * Those that the report's statement names anywhere: never fewer than it reads, for nothing leaves it that was not
 * named. The three sources, of 16 fields each, are most of what a visit costs to read, and few reports ask for more
 * than one.
 */
export function visitColumnsOf(
  request: ReportRequest,
  context: Omit<CompileContext, 'snapshot' | 'hasFresh' | 'hasLeftOut' | 'refundedFrom'>,
): ReadonlySet<string> {
  const { sql } = compileReport(request, {
    ...context,
    snapshot: null,
    hasFresh: true,
    hasLeftOut: false,
    refundedFrom: null,
  });
  return new Set(sql.match(/\w+/g)?.filter((word) => NAMES.has(word)));
}
