/**
 * The journal of a webhook: GET …/{wid}/deliveries, GET …/deliveries/{delivery_id}. The deliveries of an item by all
 * webhooks: GET /projects/{id}/deliveries.
 */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import {
  listDeliveries,
  listItemDeliveries,
  readDelivery,
  type JournalEntry,
  type JournalFilter,
  type JournalPosition,
} from '../../../db/webhooks/deliveries/journal.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { findWebhook } from '../../../db/webhooks/webhooks.ts';
import { SUBSCRIBABLE_EVENTS, TEST_EVENT } from '../../../domain/webhooks/webhookRequest.ts';
import { DELIVERY_ERROR_CODES, DELIVERY_STATUSES, OBSTACLES } from '../../../domain/webhooks/deliveryStates.ts';
import { obstacleOf } from '../../../domain/webhooks/journalPhrases.ts';
import { parseDateTime } from '../../../domain/dateTime.ts';
import { notFound } from '../../http/errors.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf, PROJECT_ID, ProjectPath, UUID, WebhookPath } from '../cabinetOperation.ts';
import { DEFAULT_LIMIT, pageQuery, readMomentCursor, toPage, writeMomentPosition } from '../../http/paging.ts';

const event = oneOf([...SUBSCRIBABLE_EVENTS, TEST_EVENT]);
const outcome = {
  response_status: nullable(Type.Integer()),
  error_code: nullable(oneOf(DELIVERY_ERROR_CODES)),
  error: nullable(Type.String()),
};
const deliveryFields = {
  delivery_id: Type.String(),
  event,
  item_id: Type.String(),
  status: oneOf(DELIVERY_STATUSES),
  attempt: Type.Integer({ description: 'Сделано попыток' }),
  ...outcome,
  obstacle: nullable(oneOf(OBSTACLES, { description: 'Почему доставка не отправлялась; только при dropped' })),
  next_attempt_at: nullable(dateTime()),
  request_body: nullable(Type.String({ description: 'Тело последней попытки' })),
  created_at: dateTime(),
  updated_at: dateTime(),
};
const Delivery = Type.Object(deliveryFields, { title: 'Delivery' });
const ItemDelivery = Type.Object(
  { ...deliveryFields, webhook_id: Type.String({ description: 'Каким вебхуком' }) },
  { title: 'ItemDelivery' },
);
const Attempt = Type.Object(
  { attempt: Type.Integer(), started_at: dateTime(), duration_ms: Type.Integer(), ...outcome },
  { title: 'DeliveryAttempt' },
);
const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    schedule_start: Type.Integer({
      description: 'Попыток до нынешнего расписания: восстановление даёт все попытки заново, а номера продолжаются',
    }),
    attempts: Type.Array(Attempt),
  },
  { title: 'DeliveryDetail' },
);

export const DeliveryPath = strictObject({ id: PROJECT_ID, wid: UUID, delivery_id: UUID });

const example = {
  delivery_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  event: 'item.processed',
  item_id: 'lesson-42',
  status: 'delivered',
  attempt: 1,
  response_status: 200,
  error_code: null,
  error: null,
  obstacle: null,
  next_attempt_at: null,
  request_body: '{"event":"item.processed"}',
  created_at: '2026-11-20T09:04:11.275Z',
  updated_at: '2026-11-20T09:04:11.402Z',
};

const DeliveryQuery = strictObject({
  status: Type.Optional(oneOf(DELIVERY_STATUSES)),
  event: Type.Optional(event),
  item: Type.Optional(Type.String({ maxLength: ID_MAX_LENGTH, description: 'Идентификатор объекта' })),
  error_code: Type.Optional(oneOf(DELIVERY_ERROR_CODES, { description: 'Чем закончилась последняя попытка' })),
  since: Type.Optional(dateTime({ description: 'Создана не раньше' })),
  until: Type.Optional(dateTime({ description: 'Создана раньше' })),
  ...pageQuery,
});

export const listDeliveriesOperation = define({
  method: 'get',
  path: '/projects/{id}/webhooks/{wid}/deliveries',
  operationId: 'listDeliveries',
  tag: 'deliveries',
  summary: 'Журнал доставок, новые первыми',
  params: WebhookPath,
  query: DeliveryQuery,
  replies: {
    200: {
      description: 'Страница журнала',
      schema: pageOf(Delivery, 'DeliveryPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const filter = filterOf(query);
    if (!(await findWebhook(pool, params.id, params.wid))) throw notFound();
    const rows = await listDeliveries(pool, params.id, params.wid, filter, limit + 1);
    return { status: 200, body: toPage(rows, limit, positionText, toOutput) };
  },
});

export const listItemDeliveriesOperation = define({
  method: 'get',
  path: '/projects/{id}/deliveries',
  operationId: 'listItemDeliveries',
  tag: 'deliveries',
  summary: 'Доставки объекта всеми вебхуками, новые первыми',
  params: ProjectPath,
  query: strictObject({
    item: text(ID_MAX_LENGTH, { minLength: 1, description: 'Идентификатор объекта', examples: ['lesson-42'] }),
    ...pageQuery,
  }),
  replies: {
    200: {
      description: 'Страница доставок',
      schema: pageOf(ItemDelivery, 'ItemDeliveryPage'),
      example: {
        items: [{ ...example, webhook_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c10' }],
        next_cursor: null,
      },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = positionOf(query.cursor);
    if (!(await findProject(pool, params.id))) throw notFound();
    const rows = await listItemDeliveries(pool, params.id, query.item, before, limit + 1);
    const body = toPage(rows, limit, positionText, (entry) => ({ ...toOutput(entry), webhook_id: entry.webhookId }));
    return { status: 200, body };
  },
});

export const getDelivery = define({
  method: 'get',
  path: '/projects/{id}/webhooks/{wid}/deliveries/{delivery_id}',
  operationId: 'getDelivery',
  tag: 'deliveries',
  summary: 'Доставка и её попытки',
  params: DeliveryPath,
  replies: {
    200: {
      description: 'Доставка',
      schema: DeliveryDetail,
      example: {
        ...example,
        schedule_start: 0,
        attempts: [
          {
            attempt: 1,
            started_at: '2026-11-20T09:04:11.301Z',
            duration_ms: 84,
            response_status: 200,
            error_code: null,
            error: null,
          },
        ],
      },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    const delivery = await readDelivery(pool, params.id, params.wid, params.delivery_id);
    if (!delivery) throw notFound();
    const attempts = delivery.attempts.map(({ attempt, startedAt, durationMs, responseStatus, errorCode, error }) => ({
      attempt,
      started_at: startedAt.toISOString(),
      duration_ms: durationMs,
      response_status: responseStatus,
      error_code: errorCode,
      error,
    }));
    return {
      status: 200,
      body: { ...toOutput(delivery), schedule_start: delivery.scheduleStart, attempts },
    };
  },
});

function filterOf(query: Static<typeof DeliveryQuery>): JournalFilter {
  const since = query.since === undefined ? null : parseDateTime(query.since);
  const until = query.until === undefined ? null : parseDateTime(query.until);
  const before = positionOf(query.cursor);
  return {
    ...(query.status && { status: query.status }),
    ...(query.event && { event: query.event }),
    ...(query.item !== undefined && { itemId: query.item }),
    ...(query.error_code && { errorCode: query.error_code }),
    ...(since && { since }),
    ...(until && { until }),
    ...(before && { before }),
  };
}

const positionText = ({ position }: JournalEntry): string =>
  writeMomentPosition(position.createdAt, position.deliveryId);

function positionOf(cursor: string | undefined): JournalPosition | null {
  const position = readMomentCursor(cursor);
  return position && { createdAt: position.moment, deliveryId: position.id };
}

function toOutput(entry: JournalEntry): Static<typeof Delivery> {
  const { event: name, status, attempt, error } = entry;
  return {
    delivery_id: entry.deliveryId,
    event: name,
    item_id: entry.itemId,
    status,
    attempt,
    response_status: entry.responseStatus,
    error_code: entry.errorCode,
    error,
    obstacle: status === 'dropped' ? obstacleOf(error) : null,
    next_attempt_at: entry.nextAttemptAt?.toISOString() ?? null,
    request_body: entry.requestBody,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  };
}
