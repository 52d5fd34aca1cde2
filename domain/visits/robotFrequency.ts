/**
 * Detects robots by their frequency: more requests or events than a person makes, of which those beyond the limit are
 * dropped, or pages that follow each other faster than anybody reads.
 */
import { MINUTE_MS } from '../timeUnits.ts';
import type { CollectedDevice, CollectedEvent } from '../collect/collected.ts';
import type { Visit, VisitorMemo } from './visitState.ts';

/** Above these limits a visitor is a robot, and further requests and events are dropped. */
export const REQUESTS_LIMIT = { count: 60, periodMs: 10_000, keptMs: MINUTE_MS } as const;
export const EVENTS_LIMIT = { count: 1_000, minutes: 60 } as const;

/** A crawler that runs no scripts: more page views than this in a visit, faster than this, and no other activity. */
const PLAIN_PAGES = { count: 60, msPerPage: 5_000 } as const;

/**
 * Counts a page view of a visit that has nothing else. Only a script knows the device, and only a person or a site's own
 * code causes anything but page views, so with either the visit is no longer counted.
 */
export function countPlainPage({ memo }: Visit, device: CollectedDevice | null, event: CollectedEvent): void {
  if (memo.plain_pages === null) return;
  const isAlive = event.type !== 'pageview' || (device !== null && Object.values(device).some((fact) => fact !== null));
  memo.plain_pages = isAlive ? null : memo.plain_pages + 1;
}

/**
 * Returns true when this many page views in that time are more than a person reads.
 * @param pages number of page views of a visit that has nothing else, as a script would have sent
 */
export function isFasterThanReading(pages: number, ms: number): boolean {
  return pages > PLAIN_PAGES.count && ms < pages * PLAIN_PAGES.msPerPage;
}

/**
 * Counts a request of the visitor; returns false when it exceeds the limit for 10 seconds, by the time of receipt.
 * Dropped requests do not count, so a flood still gets through at the allowed rate.
 * @param newestAt time of the newest event. Events older than a minute were buffered somewhere and are sent faster
 *   than they happened, so such a request counts at their time
 */
export function takeRequest(memo: VisitorMemo, receivedAt: number, newestAt: number): boolean {
  const time = receivedAt - newestAt > REQUESTS_LIMIT.keptMs ? newestAt : receivedAt;
  // Several API processes write, so a request may be read after one that was received later.
  const newest = Math.max(time, memo.requests.at(-1) ?? 0);
  const recent = memo.requests.filter((at) => at > newest - REQUESTS_LIMIT.periodMs);
  if (recent.length >= REQUESTS_LIMIT.count) return false;
  recent.push(time);
  memo.requests = recent.length > 1 && time < newest ? recent.sort((a, b) => a - b) : recent;
  return true;
}

/**
 * Counts an event of the visitor; returns false when it exceeds the limit for an hour, by the events' own time in whole
 * minutes. An event that is over an hour late counts in the oldest minute.
 */
export function takeEvent(memo: VisitorMemo, at: number): boolean {
  const minute = Math.floor(at / MINUTE_MS);
  const newest = Math.max(minute, memo.minutes.at(-1)?.[0] ?? minute);
  const oldest = newest - EVENTS_LIMIT.minutes + 1;
  const recent = (memo.minutes[0]?.[0] ?? oldest) < oldest ? memo.minutes.filter(([of]) => of >= oldest) : memo.minutes;
  const events = recent.reduce((sum, [, count]) => sum + count, 0);
  if (events >= EVENTS_LIMIT.count) return false;
  memo.minutes = recent;
  count(recent, Math.max(minute, oldest));
  return true;
}

function count(minutes: [number, number][], minute: number): void {
  const index = minutes.findLastIndex(([of]) => of <= minute);
  const found = minutes[index];
  if (found?.[0] === minute) found[1] += 1;
  else minutes.splice(index + 1, 0, [minute, 1]);
}
