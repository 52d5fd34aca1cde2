/** Which change of an item's status is announced to webhooks, and by which event. */
import type { ItemOrigin } from '../items/item.ts';
import type { ItemStatus } from '../analysis/steps.ts';
import type { ItemEvent } from './webhookRequest.ts';

/**
 * Returns the event of an item whose status may have changed; null if it is the same as before, if the item only exists
 * because an order named it, or if the status is not announced.
 */
export function announcedEvent(
  { status, origin }: { status: ItemStatus; origin: ItemOrigin },
  after: ItemStatus,
): ItemEvent | null {
  return after === status || origin === 'order' ? null : eventOfStatus(after);
}

/** Returns the event that announces a final status, or null for a status that is not announced. */
function eventOfStatus(status: ItemStatus): ItemEvent | null {
  if (status === 'ready') return 'item.processed';
  return status === 'partial' || status === 'failed' ? 'item.failed' : null;
}
