/**
 * The body of POST /collect: its envelope, which is rejected as a whole, and its events, which are validated one by
 * one.
 */
import Type, { type TUnsafe } from 'typebox';
import { ID_MAX_LENGTH } from '../idLength.ts';
import { COLLECT_TYPES, type CollectType } from '../collect/collected.ts';
import {
  ADDRESS_MAX_LENGTH,
  EVENT_PARAMS_MAX_BYTES,
  MAX_EVENTS,
  NAME_MAX_LENGTH,
  PROMO_CODE_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from '../collect/tagEventLimits.ts';
import { MAX_PRODUCTS, PRODUCT_TEXTS } from '../orders/products.ts';
import {
  dateTime,
  DESCRIBED,
  ELEMENT,
  FAULT_CODES,
  freeObject,
  MAX_BYTES,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from './schema.ts';
import { UUID_IN_ANY_CASE } from '../uuid.ts';
import { MAX_AMOUNT, MAX_QUANTITY } from '../sites/amountLimits.ts';

const UUID = `^${UUID_IN_ANY_CASE}$`;
/** Descriptions of fields for maps, which have the same names in the stored hit. */
const SHARE = 'Position of a click within the element: 0 at its left or top edge, 1 at the opposite edge';
/** Maximum in pixels. Browsers lay out about 33 million at most, which pages with endless lists use. */
const MAX_COORDINATE = 1e8;

const optional = <S extends Parameters<typeof nullable>[0]>(
  schema: S,
): ReturnType<typeof Type.Optional<ReturnType<typeof nullable<S>>>> => Type.Optional(nullable(schema));
const amount = (options: object = {}): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: MAX_AMOUNT, ...options });
const pixels = (description: string): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: MAX_COORDINATE, description: `${description}, in CSS pixels` });
const moment = (description: string): ReturnType<typeof dateTime> =>
  dateTime({ description, [FAULT_CODES]: { format: 'invalid_value' } });

const Device = strictObject(
  {
    screen: optional(text(32, { description: 'Width x height of the screen' })),
    window: optional(text(32, { description: 'Width x height of the window' })),
    language: optional(text(64, { description: 'BCP 47 tag, such as ru-RU' })),
    timezone: optional(text(64, { description: 'IANA name, such as Europe/Moscow' })),
  },
  { title: 'Device' },
);

const Product = Type.Object(
  {
    id: optional(text(PRODUCT_TEXTS.id, { description: 'Required unless name is given' })),
    name: optional(text(PRODUCT_TEXTS.name)),
    category: optional(text(PRODUCT_TEXTS.category, { description: 'Levels separated by /' })),
    brand: optional(text(PRODUCT_TEXTS.brand)),
    variant: optional(text(PRODUCT_TEXTS.variant)),
    price: optional(amount()),
    qty: optional(Type.Number({ exclusiveMinimum: 0, maximum: MAX_QUANTITY })),
  },
  { title: 'Product', description: 'Other fields are ignored' },
);

const Order = strictObject(
  {
    transaction_id: text(ID_MAX_LENGTH, {
      minLength: 1,
      description: 'Id of the order. A purchase counts once, whether the tag or the API sends it',
    }),
    revenue: optional(amount()),
    currency: optional(
      text(3, { pattern: '^[A-Za-z]{3}$', description: 'ISO 4217; the default is the currency of the site' }),
    ),
    products: optional(Type.Array(Product, { maxItems: MAX_PRODUCTS })),
    promo_code: optional(text(PROMO_CODE_MAX_LENGTH)),
  },
  { title: 'Order' },
);

/**
 * Invalid parts of it are left out (domain/people/tagUser.ts); api/collect/validateTagEvents.ts checks the size of its
 * params.
 */
const User = freeObject({
  title: 'User',
  [DESCRIBED]: { properties: { params: { description: 'Up to 4 KB as JSON, otherwise the event is too_large' } } },
  description:
    "The argument of svc('user'): user_id, user_hash (proves user_id at a site with an identity_secret), email, phone, gender (male, female), age (5 to 100), city, children (ages), interests (texts), params (an object of up to 4 KB), fingerprint_uuid. Invalid values are left out and the rest counts; e-mail and phone are stored only as keyed hashes",
});

/** The required field of each type besides the url; api/collect/validateTagEvents.ts requires the same. */
export const ESSENTIALS = {
  event: 'name',
  goal: 'name',
  purchase: 'order',
  refund: 'order',
  user: 'user',
  outbound: 'target',
  download: 'target',
  scroll: 'depth',
  pageview: null,
  form: null,
  click: null,
  ping: null,
} as const satisfies Record<CollectType, string | null>;

function essentialConditions(): object[] {
  return Object.entries(ESSENTIALS)
    .filter(([, field]) => field !== null)
    .map(([type, field]) =>
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, never awaited
      ({ if: { properties: { type: { const: type } } }, then: { required: [field] } }),
    );
}

export const CollectEvent = strictObject(
  {
    id: text(36, {
      minLength: 1,
      description: 'Chosen by the tracker; a repeat by the same visitor within 24 hours is dropped',
    }),
    at: moment("When it happened, by the device's clock"),
    type: oneOf(COLLECT_TYPES),
    url: text(ADDRESS_MAX_LENGTH, { minLength: 1, description: 'Absolute address of the page' }),
    referrer: optional(text(ADDRESS_MAX_LENGTH)),
    title: optional(text(TITLE_MAX_LENGTH)),
    name: optional(
      text(NAME_MAX_LENGTH, {
        description: 'Event name, goal code (a-z, 0-9, _ and -, up to 64) or form id. Required for event and goal',
      }),
    ),
    target: optional(text(ADDRESS_MAX_LENGTH, { description: 'Address that an outbound link or a download leads to' })),
    depth: optional(
      Type.Number({ minimum: 0, maximum: 100, description: 'How far the page was scrolled, in percent' }),
    ),
    x: optional(
      Type.Number({
        minimum: -MAX_COORDINATE,
        maximum: MAX_COORDINATE,
        description: 'Position of a click: pixels from the left edge of the page',
      }),
    ),
    y: optional(
      Type.Number({
        minimum: -MAX_COORDINATE,
        maximum: MAX_COORDINATE,
        description: 'Position of a click: pixels from the top edge of the page',
      }),
    ),
    selector: optional(text(1000, { description: 'CSS selector of what was clicked' })),
    element_x: optional(Type.Number({ minimum: 0, maximum: 1, description: SHARE })),
    element_y: optional(Type.Number({ minimum: 0, maximum: 1, description: SHARE })),
    viewport_width: optional(pixels('Width of the window, without its scroll bar')),
    viewport_height: optional(pixels('Height of the window')),
    document_width: optional(pixels('Width of the whole page')),
    document_height: optional(pixels('Height of the whole page')),
    params: optional(freeObject({ [MAX_BYTES]: EVENT_PARAMS_MAX_BYTES, description: 'Anything, up to 2 KB as JSON' })),
    order: optional(Order),
    user: optional(User),
  },
  { title: 'CollectEvent', [DESCRIBED]: { allOf: essentialConditions() } },
);
export type CollectEvent = Static<typeof CollectEvent>;

const event: TUnsafe<unknown> = Type.Unsafe<unknown>({ [ELEMENT]: CollectEvent });

export const CollectRequest = strictObject(
  {
    key: Type.String({ description: 'The public key of the site, as_…' }),
    visitor_id: Type.String({ pattern: UUID, description: 'The value of the cookie _svc_a' }),
    sent_at: moment(
      "When the batch was sent, by the device's clock. Compared with the time of receipt, it shows how wrong that clock is",
    ),
    device: optional(Device),
    events: Type.Array(event, { maxItems: MAX_EVENTS, [FAULT_CODES]: { maxItems: 'too_many' } }),
  },
  { title: 'CollectRequest' },
);
export type CollectRequest = Static<typeof CollectRequest>;

const DROP_CODES = ['too_old', 'duplicate', 'invalid_event', 'too_large', 'opted_out'] as const;
export type DropCode = (typeof DROP_CODES)[number];

export const CollectResponse = Type.Object(
  {
    accepted: Type.Integer({ description: 'Number of events that were stored durably' }),
    dropped: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Position in events, from 0' }),
        code: oneOf(DROP_CODES, {
          description:
            'too_old: over 24 hours ago (the installation may set another limit); duplicate: an event with this id was stored before; too_large: its params are too large; opted_out: the browser sends Global Privacy Control and the site honours it; invalid_event: anything else',
        }),
      }),
    ),
    recording: Type.Optional(
      oneOf(['on', 'full'], {
        description:
          'Only for sites that record sessions. on: begin or continue a recording; full: begin no new recording today',
      }),
    ),
    recording_ids: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only for sites that record sessions: recordings of this visitor that have begun',
      }),
    ),
    mask_texts: Type.Optional(
      Type.Literal(true, { description: 'Only for sites that record sessions with all text of their pages masked' }),
    ),
  },
  { title: 'CollectResponse' },
);
