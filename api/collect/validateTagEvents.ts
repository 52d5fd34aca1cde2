/** Validates the events of a batch one by one: returns the event to store, or the reason for dropping it. */
import {
  LAYOUT_FIELDS,
  type CollectedEvent,
  type CollectedLayout,
  type CollectedOrder,
  type CollectedProduct,
} from '../../domain/collect/collected.ts';
import { collectedKey } from '../../domain/collect/collectedKey.ts';
import { cutText } from '../../domain/cutText.ts';
import { parseDateTime } from '../../domain/dateTime.ts';
import { PARAMS_MAX_BYTES } from '../../domain/people/paramsSize.ts';
import { readTagUser } from '../../domain/people/tagUser.ts';
import { withoutPersonalAddress } from '../../domain/privacy/addresses.ts';
import { withoutPersonalId } from '../../domain/privacy/personalIds.ts';
import { withoutPersonalParams } from '../../domain/privacy/removePersonalParams.ts';
import { withoutPersonalTexts } from '../../domain/privacy/orderLineTexts.ts';
import { withoutContacts } from '../../domain/privacy/contactsInTexts.ts';
import { ADDRESS_MAX_LENGTH } from '../../domain/collect/tagEventLimits.ts';
import { isGoalCode } from '../../domain/sites/goalCode.ts';
import { CollectEvent, ESSENTIALS, type DropCode } from '../../domain/schemas/collectRequest.ts';
import type { FieldFault } from '../../domain/schemas/fieldFaults.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import { pageHost } from './checks/allowedHosts.ts';
import type { ProveUser } from './checks/userHash.ts';

/** Data about an event that the event itself does not contain. */
export interface EventContext {
  /** In lower case. */
  visitorId: string;
  /** Epoch milliseconds by our clock. */
  receivedAt: number;
  proveUser: ProveUser;
  /** How far the device's clock is ahead of ours, in milliseconds. */
  clockError: number;
}

/** Returns the event in stored form, or the reason for dropping it. */
export type ValidateTagEvent = (event: unknown, context: EventContext) => CollectedEvent | DropCode;

export interface ValidatorOptions {
  validators: CompileValidator;
  /** The derived key `contact-hashes`. */
  contactKey: Buffer;
  /** Older events are dropped. */
  lateEventMs: number;
}

export function createTagEventValidator({ validators, contactKey, lateEventMs }: ValidatorOptions): ValidateTagEvent {
  const validate = validators(CollectEvent);
  return (given, context) => {
    const faults = validate(given);
    if (faults.length > 0) return faults.every(isParamsTooLong) ? 'too_large' : 'invalid_event';
    // Validated, so it is not nested too deeply to be serialised.
    const event = given as CollectEvent;
    if (hasLargeUser(event)) return 'too_large';
    const at = parseDateTime(event.at)?.getTime();
    if (at === undefined || pageHost(event.url) === null || !hasEssentials(event)) return 'invalid_event';
    const ownAt = Math.min(at - context.clockError, context.receivedAt);
    if (ownAt < context.receivedAt - lateEventMs) return 'too_old';
    return toCollectedEvent(event, context, ownAt, contactKey);
  };
}

function isParamsTooLong({ field, code }: FieldFault): boolean {
  return code === 'too_long' && field === 'params';
}

/** Returns true when the params of a user are too large. Params of another type are left out instead. */
function hasLargeUser({ user }: CollectEvent): boolean {
  const params = user?.['params'];
  return typeof params === 'object' && params !== null && Buffer.byteLength(JSON.stringify(params)) > PARAMS_MAX_BYTES;
}

/** Returns true when the event has the fields that its type requires. */
function hasEssentials(event: CollectEvent): boolean {
  const essential = ESSENTIALS[event.type];
  if (essential !== null && (event[essential] ?? '') === '') return false;
  if (event.type === 'goal' && !isGoalCode(event.name ?? '')) return false;
  return (event.order?.products ?? []).every(({ id, name }) => textOf(id) !== null || textOf(name) !== null);
}

/**
 * Converts an event to stored form. Personal data is removed here, so that nothing derived from it has any
 * (docs/decisions/personal-data.md).
 * @param at epoch milliseconds by our clock
 */
function toCollectedEvent(
  event: CollectEvent,
  { visitorId, proveUser }: EventContext,
  at: number,
  contactKey: Buffer,
): CollectedEvent {
  const layout = layoutOf(event);
  return {
    key: collectedKey(visitorId, event.id),
    at,
    type: event.type,
    url: addressOf(event.url) ?? '',
    referrer: addressOf(event.referrer),
    title: wordsOf(event.title),
    name: event.type === 'goal' ? textOf(event.name) : wordsOf(event.name),
    target: addressOf(event.target),
    depth: roundedOrNull(event.depth),
    x: roundedOrNull(event.x),
    y: roundedOrNull(event.y),
    selector: wordsOf(event.selector),
    ...(layout && { layout }),
    params: event.params ? withoutPersonalParams(event.params) : null,
    order: event.order ? orderOf(event.order, contactKey) : null,
    user: event.user ? proveUser(readTagUser(event.user, contactKey), event.user['user_hash']) : null,
  };
}

/** Returns undefined for most events, which have no layout fields. */
function layoutOf(event: CollectEvent): CollectedLayout | undefined {
  if (LAYOUT_FIELDS.every((field) => (event[field] ?? null) === null)) return undefined;
  return {
    element_x: event.element_x ?? null,
    element_y: event.element_y ?? null,
    viewport_width: roundedOrNull(event.viewport_width),
    viewport_height: roundedOrNull(event.viewport_height),
    document_width: roundedOrNull(event.document_width),
    document_height: roundedOrNull(event.document_height),
  };
}

function orderOf(order: NonNullable<CollectEvent['order']>, contactKey: Buffer): CollectedOrder {
  const promoCode = textOf(order.promo_code);
  return {
    transaction_id: withoutPersonalId(order.transaction_id, contactKey),
    revenue: order.revenue ?? null,
    currency: order.currency?.toUpperCase() ?? null,
    products: order.products?.map(productOf) ?? null,
    promo_code: promoCode && withoutContacts(promoCode, 'ids'),
  };
}

type Product = NonNullable<NonNullable<NonNullable<CollectEvent['order']>['products']>[number]>;

function productOf(product: Product): CollectedProduct {
  return withoutPersonalTexts({
    id: textOf(product.id),
    name: textOf(product.name),
    category: textOf(product.category),
    brand: textOf(product.brand),
    variant: textOf(product.variant),
    price: product.price ?? null,
    qty: product.qty ?? null,
  });
}

/** Converts an empty text to null: `document.referrer` is empty when there is none. */
function textOf(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function wordsOf(text: string | null | undefined): string | null {
  return text ? withoutContacts(text) : null;
}

/** Removes personal data from a URL and cuts it again, since a replaced part may be longer when encoded. */
function addressOf(text: string | null | undefined): string | null {
  return text ? cutText(withoutPersonalAddress(text), ADDRESS_MAX_LENGTH) : null;
}

function roundedOrNull(value: number | null | undefined): number | null {
  return value === undefined || value === null ? null : Math.round(value);
}
