/**
 * Validation of the values of an event's fields. An invalid value rejects its event, never the whole request. Limits of
 * texts are those of the content API, in Unicode code points.
 */
import { hasAtMost } from '../codePoints.ts';
import { ID_MAX_LENGTH } from '../idLength.ts';
import type { EndUser } from '../people/identity.ts';
import { isStorableText } from '../people/params.ts';
import { isUuid } from '../uuid.ts';

/** The fields of an event other than its person, type and item. */
export interface EventDetails {
  recommendationId: string | null;
  surface: string | null;
  /** From 0. */
  position: number | null;
  orderId: string | null;
  quantity: number | null;
  price: number | null;
}

/** Event ids and order ids are printable ASCII. */
const CODE = /^[ -~]{1,64}$/;
const ANONYMOUS_ID = new RegExp(`^[ -~]{1,${ID_MAX_LENGTH}}$`);
const MAX_SURFACE = 16;
/** The API's document sets no limit; this one keeps a row small. */
export const MAX_RECOMMENDATION_ID = 1_000;
const MAX_POSITION = 65_535;

export function isEventId(id: string): boolean {
  return CODE.test(id);
}

export function isOrderId(id: string): boolean {
  return CODE.test(id);
}

/** Returns true when the catalogue could have an item with this id. */
export function isItemId(id: string): boolean {
  return id !== '' && isText(id, ID_MAX_LENGTH);
}

/**
 * Validates every identifier that is set, including unused fingerprints and those that do not decide who the user is.
 */
export function isWellFormedUser({ userId, anonymousId, fingerprint }: EndUser): boolean {
  if (userId !== null && (userId === '' || !isText(userId, ID_MAX_LENGTH))) return false;
  if (anonymousId !== null && !ANONYMOUS_ID.test(anonymousId)) return false;
  return fingerprint === null || isUuid(fingerprint);
}

export function hasDetailsInRange(details: EventDetails): boolean {
  return hasNumbersInRange(details) && hasTextsInRange(details);
}

function hasNumbersInRange({ position, quantity, price }: EventDetails): boolean {
  if (position !== null && (position < 0 || position > MAX_POSITION)) return false;
  return isAmount(quantity) && isAmount(price);
}

function isAmount(amount: number | null): boolean {
  return amount === null || (amount >= 0 && Number.isFinite(amount));
}

function hasTextsInRange({ surface, orderId, recommendationId }: EventDetails): boolean {
  if (surface !== null && !isText(surface, MAX_SURFACE)) return false;
  if (orderId !== null && !isOrderId(orderId)) return false;
  return recommendationId === null || isText(recommendationId, MAX_RECOMMENDATION_ID);
}

function isText(text: string, max: number): boolean {
  if (text.length > 2 * max || !isStorableText(text)) return false;
  return hasAtMost(text, max);
}
