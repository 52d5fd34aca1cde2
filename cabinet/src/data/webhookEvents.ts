/** The events of webhooks. */
import type { cabinet } from './client.ts';
import { exhaustiveList } from './exhaustiveList.ts';

export type DeliveryEvent = cabinet.Delivery['event'];
export type SubscribableEvent = cabinet.Webhook['events'][number];

export const SUBSCRIBABLE_EVENTS = exhaustiveList<SubscribableEvent>({ 'item.processed': true, 'item.failed': true });
export const EVENTS: readonly DeliveryEvent[] = [
  ...SUBSCRIBABLE_EVENTS,
  ...exhaustiveList<Exclude<DeliveryEvent, SubscribableEvent>>({ 'webhook.test': true }),
];
