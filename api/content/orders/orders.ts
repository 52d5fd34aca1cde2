/** POST /orders and POST /orders/batch. */
import Type from 'typebox';
import { writeOrders, type OrderOutcome, type OrdersRequest, type OrderWrite } from '../../../db/orders/writeOrders.ts';
import { isOrderId } from '../../../domain/events/fieldRules.ts';
import { ORDER_LINE_REJECTIONS } from '../../../domain/orders/orderLines.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import type { ProjectCaller } from '../../auth/projectKey.ts';
import { BatchError, batchError, createElementValidator, element } from '../../http/batchElements.ts';
import { validationFailed } from '../../http/errors.ts';
import { nullable, oneOf, orNull, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { define, type ContentDeps } from '../contentOperation.ts';
import { itemsRule, OrderIn, readOrder, type ReadOrder } from './orderFields.ts';

const ORDERS_MAX = 500;
/** Maximum number of lines of all orders of a batch together. */
const LINES_MAX = 5_000;

const OrderLineRejection = Type.Object(
  {
    index: Type.Integer({ description: 'Номер строки в items, с нуля' }),
    item: nullable(Type.String()),
    code: oneOf(ORDER_LINE_REJECTIONS),
  },
  { title: 'OrderLineRejection' },
);

const rejectedLines = Type.Array(OrderLineRejection);
const acceptedLines = Type.Integer({ description: 'Принято строк' });

const OrderResponse = Type.Object(
  { order_id: Type.String(), accepted: acceptedLines, rejected: rejectedLines },
  { title: 'OrderResponse' },
);

const OrdersBatchResult = Type.Object(
  {
    index: Type.Integer({ description: 'Номер заказа в orders, с нуля' }),
    order_id: nullable(Type.String()),
    ok: Type.Boolean(),
    accepted: nullable(acceptedLines),
    rejected: nullable(rejectedLines),
    error: orNull(BatchError),
  },
  { title: 'OrdersBatchResult' },
);
type OrdersBatchResult = Static<typeof OrdersBatchResult>;

const OrdersBatchRequest = strictObject(
  {
    orders: Type.Array(element(OrderIn), { description: `До ${ORDERS_MAX} заказов, вместе до ${LINES_MAX} строк` }),
  },
  { title: 'OrdersBatchRequest' },
);
const OrdersBatchResponse = Type.Object({ results: Type.Array(OrdersBatchResult) }, { title: 'OrdersBatchResponse' });

const orderExample = {
  order_id: 'A-1001',
  user: { user_id: 'user-7' },
  items: [
    { item: 'course-7', quantity: 1, price: 1990, title: 'Курс «Глаголы движения»', properties: { level: 'B1' } },
    { item: 'gift-card', quantity: 2, price: 500, title: 'Подарочная карта' },
  ],
};

export const postOrderOperation = define({
  method: 'post',
  path: '/orders',
  operationId: 'postOrder',
  tag: 'orders',
  summary: 'Принять заказ',
  description:
    'Повтор с тем же order_id заменяет состав; status cancelled снимает вклад всего заказа. Строки становятся событиями типа с признаком покупки. Товар вне каталога с title создаёт недоступный объект, без title строка отклоняется.',
  body: { schema: OrderIn, rules: itemsRule, example: orderExample },
  replies: {
    202: {
      description: 'Заказ принят',
      schema: OrderResponse,
      example: { order_id: 'A-1001', accepted: 2, rejected: [] },
    },
  },
  errors: [413, 422],
  async handle({ caller, body, requestId }, deps) {
    const receivedAt = new Date();
    const read = readOrder(body, caller.fingerprints, receivedAt);
    if ('faults' in read) throw validationFailed(read.faults);
    const [outcome] = await storeOrders(deps, caller, { priority: PRIORITY.single, requestId, receivedAt }, [
      read.order,
    ]);
    if (!outcome) throw new Error('an order has no outcome');
    return { status: 202, body: { order_id: body.order_id, ...outcome } };
  },
});

const validateOrder = createElementValidator(OrderIn, itemsRule);

export const postOrdersOperation = define({
  method: 'post',
  path: '/orders/batch',
  operationId: 'postOrders',
  tag: 'orders',
  summary: 'Принять пакет заказов',
  description:
    'Заказы обрабатываются по порядку и независимо: ошибка одного не отменяет остальных. Годится и для переноса истории: даты до 730 дней назад.',
  body: {
    schema: OrdersBatchRequest,
    example: {
      orders: [orderExample, { order_id: 'A-0999', user: { anonymous_id: 'device-4f1c' }, status: 'cancelled' }],
    },
    batch: { field: 'orders', max: ORDERS_MAX, isTooLarge: (orders) => countLines(orders) > LINES_MAX },
  },
  replies: {
    202: {
      description: 'Результаты в порядке заказов',
      schema: OrdersBatchResponse,
      example: {
        results: [
          { index: 0, order_id: 'A-1001', ok: true, accepted: 2, rejected: [], error: null },
          { index: 1, order_id: 'A-0999', ok: true, accepted: 0, rejected: [], error: null },
        ],
      },
    },
  },
  errors: [413, 422],
  async handle({ caller, body, requestId }, deps) {
    const receivedAt = new Date();
    const read = body.orders.map((value) => readElement(value, caller, deps, receivedAt));
    const orders = read.flatMap((element) => ('order' in element ? [element.order] : []));
    const outcomes = await storeOrders(deps, caller, { priority: PRIORITY.job, requestId, receivedAt }, orders);
    return { status: 202, body: { results: joinResults(body.orders, read, outcomes) } };
  },
});

function readElement(
  value: unknown,
  { fingerprints }: ProjectCaller,
  { validators }: ContentDeps,
  receivedAt: Date,
): ReadOrder {
  const faults = validateOrder(value, validators);
  // A value without faults has the schema's type.
  return faults.length > 0 ? { faults } : readOrder(value as OrderIn, fingerprints, receivedAt);
}

/** @throws {HttpError} 422 when the project has no purchase type */
async function storeOrders(
  { pool }: ContentDeps,
  { projectId }: ProjectCaller,
  request: Omit<OrdersRequest, 'projectId'>,
  orders: OrderWrite[],
): Promise<OrderOutcome[]> {
  const outcomes = await writeOrders(pool, { projectId, ...request }, orders);
  if (!outcomes) throw validationFailed([{ field: '', code: 'no_purchase_type' }]);
  return outcomes;
}

/** Returns the results in the order of the request; `outcomes` are those of the valid orders, in the same order. */
function joinResults(
  sent: readonly unknown[],
  read: readonly ReadOrder[],
  outcomes: readonly OrderOutcome[],
): OrdersBatchResult[] {
  let taken = 0;
  return read.map((element, index) => {
    const head = { index, order_id: orderIdOf(sent[index]) };
    if ('faults' in element)
      return {
        ...head,
        ok: false,
        accepted: null,
        rejected: null,
        error: batchError(validationFailed(element.faults)),
      };
    const outcome = outcomes[taken++];
    if (!outcome) throw new Error('an order has no outcome');
    return { ...head, ok: true, ...outcome, error: null };
  });
}

/** Returns the id by which a client can recognise its order; null when it sent no valid one. */
function orderIdOf(value: unknown): string | null {
  const { order_id: orderId } = (value ?? {}) as { order_id?: unknown };
  return typeof orderId === 'string' && isOrderId(orderId) ? orderId : null;
}

function countLines(orders: readonly unknown[]): number {
  return orders.reduce<number>((sum, order) => {
    const items = (order as { items?: unknown } | null)?.items;
    return sum + (Array.isArray(items) ? items.length : 0);
  }, 0);
}
