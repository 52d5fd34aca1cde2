/** The columns of visits that a statement reads; only these are extracted from the JSON of open visits. */
import type { CompileContext, Compiled } from '../compile/index.ts';

/**
 * Returns the columns that the statement names. The three sources, of 16 fields each, are most of the cost of reading a
 * visit, and few reports use more than one.
 */
export function visitColumnsOf(
  compile: (context: CompileContext) => Compiled,
  context: Omit<CompileContext, 'snapshot' | 'hasFresh' | 'hasLeftOut' | 'refundedFrom'>,
): ReadonlySet<string> {
  return compile({ ...context, snapshot: null, hasFresh: true, hasLeftOut: false, refundedFrom: null }).visitColumns;
}
