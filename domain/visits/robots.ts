/**
 * Decides whether a visit is a robot's. The hits of robots are kept and marked. robotFrequency.ts has the numbers of
 * requests, events and pages that no person reaches.
 */
import type { Request, SiteRules } from './siteRulesAndRequest.ts';
import type { Visit, Visitor } from './visitState.ts';
import { isFasterThanReading } from './robotFrequency.ts';

/** Values of a visit's robot_reason. */
export const ROBOT_REASONS = ['UserAgent', 'DataCentre', 'Frequency', 'NoJavaScript'] as const;

/** Marks the visit when the request, the visitor or the visit itself is a robot's; the first reason stays. */
export function decideRobot(visit: Visit, visitor: Visitor, rules: SiteRules, request: Request): void {
  if (visit.row.robot_reason !== null) return;
  const reason = request.robotReason ?? frequency(visitor, rules) ?? noJavaScript(visit, rules);
  if (reason !== null) mark(visit, reason);
}

/**
 * Marks the current visit and all later ones as a robot's, because the visitor exceeded a limit. A visit whose sender
 * is a known robot keeps that reason.
 */
export function markFrequent({ visitor, visits }: { visitor: Visitor; visits: readonly Visit[] }, at: number): void {
  visitor.memo.frequent_since ??= at;
  const current = visits.at(-1);
  // NoJavaScript is guessed from the pace of pages; frequency is counted.
  if (current !== undefined && (current.row.robot_reason ?? 'NoJavaScript') === 'NoJavaScript')
    mark(current, 'Frequency');
}

function mark(visit: Visit, reason: (typeof ROBOT_REASONS)[number] | string): void {
  visit.row.robot_reason = reason;
  visit.row.is_robot = true;
  visit.isChanged = true;
}

function frequency({ memo }: Visitor, { robots }: SiteRules): string | null {
  return robots.frequency && memo.frequent_since !== null ? 'Frequency' : null;
}

/** Detects page views at a pace at which nobody reads, without anything that a script would have sent. */
function noJavaScript({ row, memo }: Visit, { robots }: SiteRules): string | null {
  if (!robots.no_javascript || memo.plain_pages === null) return null;
  return isFasterThanReading(memo.plain_pages, row.ended_at - row.started_at) ? 'NoJavaScript' : null;
}
