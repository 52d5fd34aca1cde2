/**
 * Validates interaction events, and converts the accepted ones to {@link ValidEvent}. Pure: the caller passes in what
 * it needs of the catalogue.
 */
import {
  hasDetailsInRange,
  isEventId,
  isItemId,
  isOrderId,
  isWellFormedUser,
  type EventDetails,
} from './fieldRules.ts';
import type { EventType } from './eventTypes.ts';
import { identifierOf, type EndUser, type Identifier } from '../people/identity.ts';
import { keptMoment } from './occurredAt.ts';
import { LINE_EVENT_ID } from '../orders/orderLines.ts';

export const EVENT_REJECTIONS = [
  'unknown_type',
  'inactive_type',
  'unknown_item',
  'no_user',
  'invalid_user',
  'invalid_value',
  'too_old',
  'order_managed',
] as const;
export type EventRejectionCode = (typeof EVENT_REJECTIONS)[number];

/**
 * An event as a client sends it: its fields have the right types, their values are validated here. Absent ones are
 * null.
 */
export interface SentEvent extends EventDetails {
  id: string;
  type: string;
  item: string;
  user: EndUser;
  value: number | null;
  occurredAt: Date | 'invalid' | null;
}

/** An accepted event. */
export interface ValidEvent extends EventDetails {
  id: string;
  type: EventType;
  item: string;
  identifier: Identifier;
  /** The device on which a user was seen, in a project with fingerprints. */
  loginOn: string | null;
  value: number | null;
  occurredAt: Date;
}

export interface EventRejection {
  /** Index in the request, from 0. */
  index: number;
  id: string;
  code: EventRejectionCode;
}

export interface EventContext {
  /** All event types of the project, by code. */
  types: ReadonlyMap<string, EventType>;
  /** Returns true when the catalogue has the item, even a deleted one. */
  hasItem(item: string): boolean;
  /** Returns true when POST /orders manages the order. */
  isManagedOrder(orderId: string): boolean;
  /** True when the project uses device fingerprints. */
  fingerprints: boolean;
  receivedAt: Date;
}

export interface ValidatedEvents {
  taken: ValidEvent[];
  rejected: EventRejection[];
  /** Number of valid events with the id of an earlier one in the same request. */
  repeated: number;
}

/**
 * Validates the events of one request in their order. The first of two equal ids counts; a rejected event leaves its id
 * free. taken + rejected + repeated equals the number sent.
 */
export function validateEvents(events: readonly SentEvent[], context: EventContext): ValidatedEvents {
  const validated: ValidatedEvents = { taken: [], rejected: [], repeated: 0 };
  const ids = new Set<string>();
  for (const [index, event] of events.entries()) {
    const outcome = validateEvent(event, context);
    if (typeof outcome === 'string') validated.rejected.push({ index, id: event.id, code: outcome });
    else if (ids.has(event.id)) validated.repeated += 1;
    else {
      ids.add(event.id);
      validated.taken.push(outcome);
    }
  }
  return validated;
}

/** Returns the first code that applies, in the order in which the API lists them. */
function validateEvent(event: SentEvent, context: EventContext): ValidEvent | EventRejectionCode {
  const type = context.types.get(event.type);
  if (type === undefined) return 'unknown_type';
  if (!type.is_active) return 'inactive_type';
  if (!isItemId(event.item) || !context.hasItem(event.item)) return 'unknown_item';
  const { user } = event;
  if (!isWellFormedUser(user)) return 'invalid_user';
  const identifier = identifierOf(user, context.fingerprints);
  if (identifier === null) return 'no_user';
  const value = valueOf(type, event.value);
  if (value === 'invalid' || event.occurredAt === 'invalid') return 'invalid_value';
  if (!isEventId(event.id) || !hasDetailsInRange(event)) return 'invalid_value';
  const occurredAt = event.occurredAt === null ? context.receivedAt : keptMoment(event.occurredAt, context.receivedAt);
  if (occurredAt === 'too_old') return 'too_old';
  if (isOrderManaged(event, type, context)) return 'order_managed';
  const { id, item, recommendationId, surface, position, orderId, quantity, price } = event;
  const loginOn = context.fingerprints && identifier.kind === 'user' ? user.fingerprint : null;
  return {
    id,
    type,
    item,
    identifier,
    loginOn,
    value,
    occurredAt,
    recommendationId,
    surface,
    position,
    orderId,
    quantity,
    price,
  };
}

/** Returns the value that counts; null where the type has none. */
function valueOf(
  { mode, value_kind: kind, is_impression: isImpression }: EventType,
  sent: number | null,
): number | null | 'invalid' {
  if (isImpression) return null;
  if (mode === 'state') return sent === null ? 1 : sent === 0 || sent === 1 ? sent : 'invalid';
  if (kind === 'none') return null;
  if (sent !== null && !Number.isFinite(sent)) return 'invalid';
  // A maximum needs a value; an event without one says nothing.
  if (sent === null) return mode === 'max' ? 'invalid' : null;
  if (kind === 'percent') return sent >= 0 && sent <= 100 ? sent : 'invalid';
  if (kind === 'watch_seconds') return sent >= 0 ? sent : 'invalid';
  return sent;
}

function isOrderManaged(event: SentEvent, type: EventType, context: EventContext): boolean {
  if (LINE_EVENT_ID.test(event.id)) return true;
  return type.is_purchase && event.orderId !== null && context.isManagedOrder(event.orderId);
}

/** Returns the item ids that a request names and the catalogue could have. */
export function itemsNamed(events: readonly SentEvent[]): string[] {
  return [...new Set(events.map(({ item }) => item))].filter(isItemId);
}

/** Returns the order ids that a request names in events of the purchase type. */
export function ordersNamed(events: readonly SentEvent[], types: ReadonlyMap<string, EventType>): string[] {
  const orders = new Set<string>();
  for (const { type, orderId } of events) {
    if (orderId !== null && isOrderId(orderId) && types.get(type)?.is_purchase === true) orders.add(orderId);
  }
  return [...orders];
}
