/** Judges the events of a batch one by one: what is stored of each, or why it is dropped. */
import type { CollectedEvent, CollectedOrder, CollectedProduct, CollectType } from '../../domain/collected.ts';
import { collectedKey } from '../../domain/collectedKey.ts';
import { parseDateTime } from '../../domain/dateTime.ts';
import { PARAMS_MAX_BYTES } from '../../domain/people/params.ts';
import { readTagUser } from '../../domain/people/tagUser.ts';
import { CollectEvent, ESSENTIALS, type DropCode } from '../../schemas/collect.ts';
import type { FieldFault } from '../../schemas/faults.ts';
import type { CompileValidator } from '../../schemas/validation.ts';
import { pageHost } from './hosts.ts';

/** What an event's own data do not say. */
export interface EventContext {
  /** In lower case. */
  visitorId: string;
  /** Epoch milliseconds by our clock. */
  receivedAt: number;
  /** How far the device's clock is ahead of ours, in milliseconds. */
  clockError: number;
}

/** The event as it is stored, or why it is not. */
export type JudgeEvent = (event: unknown, context: EventContext) => CollectedEvent | DropCode;

export interface JudgeOptions {
  validators: CompileValidator;
  /** Of purpose `contact-hashes`. */
  contactKey: Buffer;
  /** Older events are dropped. */
  lateEventMs: number;
}

const GOAL_CODE = /^[a-z0-9_-]{1,64}$/;

export function createEventJudge({ validators, contactKey, lateEventMs }: JudgeOptions): JudgeEvent {
  const validate = validators(CollectEvent);
  return (given, context) => {
    const faults = validate(given);
    if (faults.length > 0) return faults.every(isOfSize) ? 'too_large' : 'invalid_event';
    // Validated, so not too deep to be written.
    const event = given as CollectEvent;
    if (hasLargeUser(event)) return 'too_large';
    const at = parseDateTime(event.at)?.getTime();
    if (at === undefined || pageHost(event.url) === null || !isWhole(event)) return 'invalid_event';
    const ownAt = Math.min(at - context.clockError, context.receivedAt);
    if (ownAt < context.receivedAt - lateEventMs) return 'too_old';
    return collected(event, context.visitorId, ownAt, contactKey);
  };
}

function isOfSize({ field, code }: FieldFault): boolean {
  return code === 'too_long' && field === 'params';
}

/** Whether params of a user are more than are kept. Of another type they are left out instead. */
function hasLargeUser({ user }: CollectEvent): boolean {
  const params = user?.['params'];
  return typeof params === 'object' && params !== null && Buffer.byteLength(JSON.stringify(params)) > PARAMS_MAX_BYTES;
}

/** Whether it has what its type cannot do without. */
function isWhole(event: CollectEvent): boolean {
  const essential = (ESSENTIALS as Partial<Record<CollectType, 'name' | 'order' | 'user' | 'target' | 'depth'>>)[
    event.type
  ];
  if (essential !== undefined && (event[essential] ?? '') === '') return false;
  if (event.type === 'goal' && !GOAL_CODE.test(event.name ?? '')) return false;
  return (event.order?.products ?? []).every(({ id, name }) => textOf(id) !== null || textOf(name) !== null);
}

/** @param at epoch milliseconds by our clock */
function collected(event: CollectEvent, visitorId: string, at: number, contactKey: Buffer): CollectedEvent {
  return {
    key: collectedKey(visitorId, event.id),
    at,
    type: event.type,
    url: event.url,
    referrer: textOf(event.referrer),
    title: textOf(event.title),
    name: textOf(event.name),
    target: textOf(event.target),
    depth: wholeOf(event.depth),
    x: wholeOf(event.x),
    y: wholeOf(event.y),
    selector: textOf(event.selector),
    params: event.params ?? null,
    order: event.order ? orderOf(event.order) : null,
    user: event.user ? readTagUser(event.user, contactKey) : null,
  };
}

function orderOf(order: NonNullable<CollectEvent['order']>): CollectedOrder {
  return {
    transaction_id: order.transaction_id,
    revenue: order.revenue ?? null,
    currency: order.currency?.toUpperCase() ?? null,
    products: order.products?.map(productOf) ?? null,
    promo_code: textOf(order.promo_code),
  };
}

type Product = NonNullable<NonNullable<NonNullable<CollectEvent['order']>['products']>[number]>;

function productOf(product: Product): CollectedProduct {
  return {
    id: textOf(product.id),
    name: textOf(product.name),
    category: textOf(product.category),
    brand: textOf(product.brand),
    variant: textOf(product.variant),
    price: product.price ?? null,
    qty: product.qty ?? null,
  };
}

/** An empty text says nothing: `document.referrer` is one wherever there is none. */
function textOf(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function wholeOf(value: number | null | undefined): number | null {
  return value === undefined || value === null ? null : Math.round(value);
}
