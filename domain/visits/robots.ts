/** Whether a visit is a robot's. What it did is kept and marked. */
import { PLAIN_PAGES } from './rules.ts';
import type { Request, VisitRules } from './site.ts';
import type { Visit, Visitor } from './state.ts';

/** Reasons that a visit's robot_reason names. */
export const ROBOT_REASONS = ['UserAgent', 'DataCentre', 'Frequency', 'NoJavaScript'] as const;

/** Marks the visit when the request, the visitor or the visit itself is a robot's; the first reason stays. */
export function judgeRobot(visit: Visit, visitor: Visitor, rules: VisitRules, request: Request): void {
  if (visit.row.robot_reason !== null) return;
  const reason = request.robotReason ?? frequency(visitor, rules) ?? noJavaScript(visit, rules);
  if (reason !== null) mark(visit, reason);
}

/** The visitor has passed a limit: its visit in hand is a robot's by that, unless its sender is one, and so are all that follow. */
export function markFrequent({ visitor, visits }: { visitor: Visitor; visits: readonly Visit[] }, at: number): void {
  visitor.memo.frequent_since ??= at;
  const current = visits.at(-1);
  // To have no script is guessed from the pace of pages; this is counted.
  if (current !== undefined && (current.row.robot_reason ?? 'NoJavaScript') === 'NoJavaScript')
    mark(current, 'Frequency');
}

function mark(visit: Visit, reason: (typeof ROBOT_REASONS)[number] | string): void {
  visit.row.robot_reason = reason;
  visit.row.is_robot = true;
  visit.isChanged = true;
}

function frequency({ memo }: Visitor, { robots }: VisitRules): string | null {
  return robots.frequency && memo.frequent_since !== null ? 'Frequency' : null;
}

/** Page after page in a pace that nobody reads in, and nothing that a script would have sent along. */
function noJavaScript({ row, memo }: Visit, { robots }: VisitRules): string | null {
  if (!robots.no_javascript || memo.plain_pages === null || memo.plain_pages <= PLAIN_PAGES.count) return null;
  return row.ended_at - row.started_at < memo.plain_pages * PLAIN_PAGES.msPerPage ? 'NoJavaScript' : null;
}
