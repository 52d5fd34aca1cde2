/** A sending as a request of POST /collect. */
import type { CollectSending } from './types.ts';

/**
 * @param sentAt now, in epoch milliseconds: the intake takes the difference to its own clock for the error of
 *   the device's, and corrects every event by it.
 */
export function collectBody({ visitorId, device, events }: CollectSending, key: string, sentAt: number): string {
  return JSON.stringify({
    key,
    visitor_id: visitorId,
    sent_at: new Date(sentAt).toISOString(),
    ...(device !== null && { device }),
    events: events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
  });
}

/** The address counts where the sender is a trusted proxy. */
export function collectHeaders({ userAgent, ip }: CollectSending): Record<string, string> {
  return { 'content-type': 'application/json', 'user-agent': userAgent, 'x-forwarded-for': ip };
}
