/** Which change of an item's status is announced to webhooks, and by which event. */
import type { ItemOrigin } from '../items/item.ts';
import type { ItemStatus } from '../analysis/steps.ts';
import type { ItemEvent } from './webhookRequest.ts';

/** The event that announces a status; null for one that is not announced, because the analysis has not ended. */
const EVENT_OF_STATUS: Record<ItemStatus, ItemEvent | null> = {
  queued: null,
  processing: null,
  deferred: null,
  ready: 'item.processed',
  partial: 'item.failed',
  failed: 'item.failed',
};

/**
 * Returns the event of an item whose status may have changed; null if it is the same as before, if the item only exists
 * because an order named it, or if the status is not announced.
 */
export function announcedEvent(
  { status, origin }: { status: ItemStatus; origin: ItemOrigin },
  after: ItemStatus,
): ItemEvent | null {
  return after === status || origin === 'order' ? null : EVENT_OF_STATUS[after];
}
