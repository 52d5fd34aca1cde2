/** Interaction events: which are taken, and as what. Pure; the catalogue's answers come in as sets. */
import type { EventType } from './eventTypes.ts';
import { identifierOf, type EndUser, type Identifier } from './identity.ts';
import { keptMoment } from './occurredAt.ts';

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

/** What an event tells beyond who did what to which item. */
export interface EventDetails {
  recommendationId: string | null;
  surface: string | null;
  /** From 0. */
  position: number | null;
  orderId: string | null;
  quantity: number | null;
  price: number | null;
}

/** An event as a client sends it, of the right form, absent fields null. */
export interface SentEvent extends EventDetails {
  id: string;
  type: string;
  item: string;
  /** As sent: its form is judged here. */
  user: EndUser;
  value: number | null;
  occurredAt: Date | null;
}

/** An event that is taken. */
export interface TakenEvent extends EventDetails {
  id: string;
  type: EventType;
  item: string;
  identifier: Identifier;
  /** The device that a user was seen on, in a project with fingerprints. */
  loginOn: string | null;
  value: number | null;
  occurredAt: Date;
}

export interface EventRejection {
  /** In the request, from 0. */
  index: number;
  id: string;
  code: EventRejectionCode;
}

export interface EventContext {
  /** All of the project's, by code. */
  types: ReadonlyMap<string, EventType>;
  /** Whether the catalogue has an item, deleted ones included. */
  hasItem(item: string): boolean;
  /** Whether POST /orders keeps the order. */
  isManagedOrder(orderId: string): boolean;
  /** Whether the project uses device fingerprints. */
  fingerprints: boolean;
  receivedAt: Date;
}

export interface JudgedEvents {
  taken: TakenEvent[];
  rejected: EventRejection[];
  /** Taken, but for an equal id before them in the same request. */
  repeated: number;
}

/** Ids of the events that orders expand into (domain/orders.ts). */
const LINE_EVENT_ID = /^o:[0-9a-f]{32}$/;
const MAX_POSITION = 65_535;
const MAX_IDENTIFIER = 191;
const PRINTABLE_ASCII = /^[ -~]{1,191}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Judges the events of one request in their order. The first of two equal ids counts; one that is
 * rejected leaves its id free. taken + rejected + repeated is the number sent.
 */
export function judgeEvents(events: readonly SentEvent[], context: EventContext): JudgedEvents {
  const judged: JudgedEvents = { taken: [], rejected: [], repeated: 0 };
  const ids = new Set<string>();
  for (const [index, event] of events.entries()) {
    const outcome = judgeEvent(event, context);
    if (typeof outcome === 'string') judged.rejected.push({ index, id: event.id, code: outcome });
    else if (ids.has(event.id)) judged.repeated += 1;
    else {
      ids.add(event.id);
      judged.taken.push(outcome);
    }
  }
  return judged;
}

/** The first code that holds, in the order in which the API lists them. */
function judgeEvent(event: SentEvent, context: EventContext): TakenEvent | EventRejectionCode {
  const type = context.types.get(event.type);
  if (type === undefined) return 'unknown_type';
  if (!type.is_active) return 'inactive_type';
  if (!context.hasItem(event.item)) return 'unknown_item';
  const { user } = event;
  if (!isWellFormed(user)) return 'invalid_user';
  const identifier = identifierOf(user, context.fingerprints);
  if (identifier === null) return 'no_user';
  const value = valueOf(type, event.value);
  if (value === 'invalid' || !hasDetailsInRange(event)) return 'invalid_value';
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

/** Every identifier that is set is judged, those that do not decide and unused fingerprints too. */
function isWellFormed({ userId, anonymousId, fingerprint }: EndUser): boolean {
  if (userId !== null && !isIdentifier(userId)) return false;
  if (anonymousId !== null && !PRINTABLE_ASCII.test(anonymousId)) return false;
  return fingerprint === null || UUID.test(fingerprint);
}

/** Limits count code points: only a text that is longer in UTF-16 has to be counted. */
function isIdentifier(text: string): boolean {
  if (text === '') return false;
  return text.length <= MAX_IDENTIFIER || (text.length <= 2 * MAX_IDENTIFIER && [...text].length <= MAX_IDENTIFIER);
}

/** The value that counts; null where the type has none. */
function valueOf(
  { mode, value_kind: kind, is_impression: isImpression }: EventType,
  sent: number | null,
): number | null | 'invalid' {
  if (isImpression) return null;
  if (mode === 'state') return sent === null ? 1 : sent === 0 || sent === 1 ? sent : 'invalid';
  if (kind === 'none') return null;
  // The largest of nothing: such an event says nothing.
  if (sent === null) return mode === 'max' ? 'invalid' : null;
  if (kind === 'percent') return sent >= 0 && sent <= 100 ? sent : 'invalid';
  if (kind === 'watch_seconds') return sent >= 0 ? sent : 'invalid';
  return sent;
}

function hasDetailsInRange({ position, quantity, price }: EventDetails): boolean {
  if (position !== null && (position < 0 || position > MAX_POSITION)) return false;
  return (quantity === null || quantity >= 0) && (price === null || price >= 0);
}

function isOrderManaged(event: SentEvent, type: EventType, context: EventContext): boolean {
  if (LINE_EVENT_ID.test(event.id)) return true;
  return type.is_purchase && event.orderId !== null && context.isManagedOrder(event.orderId);
}

/** The orders that a request names in events of the purchase type. */
export function ordersNamed(events: readonly SentEvent[], types: ReadonlyMap<string, EventType>): string[] {
  const orders = new Set<string>();
  for (const { type, orderId } of events) {
    if (orderId !== null && types.get(type)?.is_purchase === true) orders.add(orderId);
  }
  return [...orders];
}
