/** The events of webhooks. */
import type { cabinet } from './client.ts';
import { everyOf } from './everyOf.ts';

export type DeliveryEvent = cabinet.Delivery['event'];
export type SubscribableEvent = cabinet.Webhook['events'][number];

export const SUBSCRIBABLE_EVENTS = everyOf<SubscribableEvent>({ 'item.processed': true, 'item.failed': true });
export const EVENTS: readonly DeliveryEvent[] = [
  ...SUBSCRIBABLE_EVENTS,
  ...everyOf<Exclude<DeliveryEvent, SubscribableEvent>>({ 'webhook.test': true }),
];
