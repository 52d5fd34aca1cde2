/** POST /orders: purchases and refunds. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../domain/idLength.ts';
import { takeOrders, type SentOrder } from '../../db/siteFacts/takeServerFacts.ts';
import { MAX_PRODUCTS, readProducts } from '../../domain/orders/products.ts';
import { withoutPersonalId } from '../../domain/privacy/personalIds.ts';
import { withoutPersonalTexts } from '../../domain/privacy/orderLineTexts.ts';
import { ORDER_REJECTIONS, SITE_ORDER_STATUSES } from '../../domain/sites/siteFacts.ts';
import {
  DESCRIBED,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
  type TSchema,
} from '../../domain/schemas/schema.ts';
import { define } from './analyticsOperation.ts';
import {
  amount,
  batchResponse,
  occurredAt,
  readSubject,
  SUBJECT_CONDITION,
  SUBJECT_FIELDS,
  subjectRule,
} from './conversionAndOrderFields.ts';
import { MAX_QUANTITY } from '../../domain/sites/amountLimits.ts';

const MAX_ORDERS = 500;

const optional = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema));
const Product = Type.Object(
  {
    id: optional(text(255)),
    name: optional(text(1000)),
    category: optional(text(1000, { description: 'Levels separated by /' })),
    brand: optional(text(255)),
    variant: optional(text(255)),
    price: optional(amount(0, 'Price per unit')),
    qty: optional(Type.Number({ exclusiveMinimum: 0, maximum: MAX_QUANTITY, default: 1 })),
  },
  {
    title: 'Product',
    description: 'id or name is required; null means absent, and other fields are ignored',
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  },
);

/** Accepts any value: an error in it rejects the order, not the request. */
const products = Type.Unsafe<unknown>({
  [DESCRIBED]: nullable(
    Type.Array(Product, {
      maxItems: MAX_PRODUCTS,
      description: 'An error here rejects the order with invalid_products',
    }),
  ),
});

const OrderIn = strictObject(
  {
    transaction_id: text(ID_MAX_LENGTH, {
      minLength: 1,
      description:
        'Id of the order. A purchase counts once, whether the tag or this API sends it, and so does its refund',
    }),
    ...SUBJECT_FIELDS,
    occurred_at: Type.Optional(occurredAt),
    status: Type.Optional(oneOf(SITE_ORDER_STATUSES, { default: 'purchased' })),
    currency: Type.Optional(
      text(3, {
        pattern: '^[A-Za-z]{3}$',
        description: 'ISO 4217. The default is the currency of the site, and for a refund that of its purchase',
      }),
    ),
    revenue: Type.Optional(amount(0, 'Revenue of the order. A refund pays this amount back; by default, all of it')),
    products: Type.Optional(products),
  },
  {
    title: 'OrderIn',
    description: 'visitor_id or user_id is required; visitor_id wins',
    [DESCRIBED]: SUBJECT_CONDITION,
  },
);

export const postOrders = define({
  method: 'post',
  path: '/orders',
  operationId: 'postOrders',
  tag: 'orders',
  summary: 'Send orders and refunds',
  description:
    'Up to 500 orders, attributed as conversions are. A refund belongs to the visit of its purchase, and reduces revenue and orders of the period in which its request arrives. Rejected ones are listed and do not stop the others: unknown_visitor, too_old (there is no visit within 90 days), invalid_products. A batch may be sent again.',
  body: {
    schema: strictObject({ orders: Type.Array(OrderIn, { maxItems: MAX_ORDERS }) }, { title: 'OrdersRequest' }),
    batch: { field: 'orders', max: MAX_ORDERS },
    rules: subjectRule('orders'),
    example: {
      orders: [
        {
          transaction_id: 'A-1001',
          visitor_id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
          occurred_at: '2026-11-20T09:00:00Z',
          currency: 'RUB',
          revenue: 2990,
          products: [
            { id: 'p-7', name: 'Teapot', category: 'Kitchen/Tea', brand: 'Acme', variant: 'blue', price: 1495, qty: 2 },
          ],
        },
        { transaction_id: 'A-0999', user_id: 'user-7', status: 'refunded', revenue: 500 },
      ],
    },
  },
  replies: {
    202: {
      description: 'How many records were accepted, and which were rejected',
      schema: batchResponse('OrdersResponse', ORDER_REJECTIONS),
      example: { accepted: 2, duplicates: 0, rejected: [] },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, { pool, contactKey }) {
    const receivedAt = new Date();
    const outcome = await takeOrders(
      pool,
      { siteId: caller.siteId, receivedAt },
      body.orders.map((record) => readOrder(record, receivedAt, contactKey)),
    );
    return { status: 202, body: outcome };
  },
});

function readOrder(
  { transaction_id: transactionId, status, currency, revenue, products: sent, ...subject }: Static<typeof OrderIn>,
  receivedAt: Date,
  contactKey: Buffer,
): SentOrder {
  return {
    transactionId: withoutPersonalId(transactionId, contactKey),
    status: status ?? 'purchased',
    currency: currency ?? null,
    revenue: revenue ?? null,
    products: sent === undefined || sent === null ? null : (readProducts(sent)?.map(withoutPersonalTexts) ?? 'invalid'),
    ...readSubject(subject, receivedAt),
  };
}
