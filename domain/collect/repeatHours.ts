/** How long a repeated event of the tag is recognised; collectedKey.ts says by what. */

/** Number of hours within which a repeat is recognised: a tracker may use its ids again afterwards. */
const REPEAT_HOURS = 24;

/**
 * Returns for how many hours the ids of events are remembered. Where older events are accepted (LATE_EVENT_HOURS), a
 * repeat of one may arrive as late as that.
 */
export function rememberHoursOf(lateEventHours: number): number {
  return Math.max(REPEAT_HOURS, lateEventHours);
}
