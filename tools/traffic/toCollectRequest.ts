/** Converts a batch of the generator to a request of POST /collect. */
import type { TagBatch } from './types.ts';

/**
 * @param sentAt now, in epoch milliseconds: the intake treats the difference from its own clock as the error of the
 * device's clock, and corrects every event by it.
 */
export function collectBody({ visitorId, device, events }: TagBatch, key: string, sentAt: number): string {
  return JSON.stringify({
    key,
    visitor_id: visitorId,
    sent_at: new Date(sentAt).toISOString(),
    ...(device !== null && { device }),
    events: events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
  });
}

/** Returns the headers; the address counts when the sender is a trusted proxy. */
export function collectHeaders({ userAgent, ip }: TagBatch): Record<string, string> {
  return { 'content-type': 'application/json', 'user-agent': userAgent, 'x-forwarded-for': ip };
}
