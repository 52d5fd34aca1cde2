/**
 * Limits of the events that the tag sends: the tag keeps to them, and the intake refuses what exceeds them
 * (domain/schemas/collectRequest.ts). Lengths are in Unicode characters. The data of a person has its own limits
 * (domain/people/personLimits.ts), and so have the products of an order (domain/orders/products.ts).
 */

/** Maximum size of a request, and the number of its events. */
export const MAX_REQUEST_BYTES = 64 * 1024;
export const MAX_EVENTS = 50;

/** Maximum size of an event's params, as JSON in UTF-8; for those of a person see domain/people/paramsSize.ts. */
export const EVENT_PARAMS_MAX_BYTES = 2 * 1024;

export const ADDRESS_MAX_LENGTH = 2048;
export const TITLE_MAX_LENGTH = 1000;
/** Maximum length of the name of an event or a form. */
export const NAME_MAX_LENGTH = 255;
export const PROMO_CODE_MAX_LENGTH = 255;
