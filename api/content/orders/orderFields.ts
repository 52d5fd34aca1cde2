/** Orders in requests. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import type { OrderWrite } from '../../../db/orders/writeOrders.ts';
import { identifierOf } from '../../../domain/people/identity.ts';
import { keptMoment } from '../../../domain/events/occurredAt.ts';
import { ORDER_STATUSES, type SentLine } from '../../../domain/orders/orderLines.ts';
import { parseDateTime } from '../../../domain/dateTime.ts';
import type { FieldFault } from '../../http/errors.ts';
import {
  dateTime,
  DESCRIBED,
  freeObject,
  MAX_BYTES,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { EndUserIds, endUserOf, NO_IDENTIFIER } from '../endUser.ts';

const ORDER_ID_MAX = 64;
const ORDER_ID = '^[ -~]+$';
const LINES_MAX = 200;
const PROPERTIES_MAX_BYTES = 16 * 1024;

const OrderLineIn = strictObject(
  {
    item: text(ID_MAX_LENGTH, { minLength: 1, description: 'Идентификатор объекта' }),
    quantity: Type.Optional(nullable(Type.Number({ default: 1, description: 'Меньше нуля — строка отклоняется' }))),
    price: Type.Optional(
      nullable(Type.Number({ description: 'Цена одной единицы; меньше нуля — строка отклоняется' })),
    ),
    title: Type.Optional(nullable(text(1000, { description: 'Для товара вне каталога создаётся недоступный объект' }))),
    properties: Type.Optional(
      nullable(freeObject({ [MAX_BYTES]: PROPERTIES_MAX_BYTES, description: 'Любые данные, до 16 КБ' })),
    ),
  },
  { title: 'OrderLineIn' },
);
type OrderLineIn = Static<typeof OrderLineIn>;

/** {@link itemsRule} in JSON Schema. */
const itemsCondition = {
  anyOf: [
    { required: ['status'], properties: { status: { const: 'cancelled' } } },
    { required: ['items'], properties: { items: { type: 'array' } } },
  ],
};

export const OrderIn = strictObject(
  {
    order_id: text(ORDER_ID_MAX, {
      minLength: 1,
      pattern: ORDER_ID,
      description: 'Печатные символы ASCII; повтор заменяет состав',
    }),
    user: EndUserIds,
    occurred_at: Type.Optional(
      nullable(
        dateTime({ description: 'По умолчанию время приёма, при повторе прежнее время заказа; не старше 730 дней' }),
      ),
    ),
    status: Type.Optional(nullable(oneOf(ORDER_STATUSES, { default: 'created' }))),
    items: Type.Optional(
      nullable(
        Type.Array(OrderLineIn, { maxItems: LINES_MAX, description: 'Можно не передавать, если заказ отменён' }),
      ),
    ),
  },
  { title: 'OrderIn', [DESCRIBED]: itemsCondition },
);
export type OrderIn = Static<typeof OrderIn>;

export type ReadOrder = { order: OrderWrite } | { faults: FieldFault[] };

/** Requires lines unless the order is cancelled. It accepts any value, since it runs in addition to the schema. */
export function itemsRule(value: unknown): FieldFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { status, items } = value as { status?: unknown; items?: unknown };
  const isCreated = status === undefined || status === null || status === 'created';
  return isCreated && (items === undefined || items === null) ? [{ field: 'items', code: 'required' }] : [];
}

/**
 * Returns the order of a valid body, or faults that neither the schema nor the rule can find. An order that is sent
 * without a time keeps the time that it has, or gets the time of its receipt (db/orders/writeOrders.ts).
 */
export function readOrder(body: OrderIn, fingerprints: boolean, receivedAt: Date): ReadOrder {
  const endUser = endUserOf(body.user);
  const user = identifierOf(endUser, fingerprints);
  const occurredAt = momentOf(body.occurred_at, receivedAt);
  const faults: FieldFault[] = [];
  if (!user) faults.push(NO_IDENTIFIER);
  if (occurredAt === 'too_old') faults.push({ field: 'occurred_at', code: 'too_old' });
  if (!user || occurredAt === 'too_old') return { faults };
  const login = fingerprints && user.kind === 'user' ? endUser.fingerprint : null;
  return {
    order: {
      orderId: body.order_id,
      user,
      login,
      occurredAt,
      status: body.status ?? 'created',
      lines: (body.items ?? []).map(lineOf),
    },
  };
}

function momentOf(sent: string | null | undefined, receivedAt: Date): Date | null | 'too_old' {
  const moment = typeof sent === 'string' ? parseDateTime(sent) : null;
  return moment && keptMoment(moment, receivedAt);
}

function lineOf({ item, quantity, price, title, properties }: OrderLineIn): SentLine {
  return { item, quantity: quantity ?? 1, price: price ?? null, title: title ?? null, properties: properties ?? null };
}
