/** Events sent by a project: by user or by item (GET /projects/{id}/events), and the latest ones (…/latest). */
import Type from 'typebox';
import {
  listEvents,
  listImpressions,
  listOrders,
  MAX_EXAMINED,
  type ImpressionCount,
  type StoredOrder,
} from '../../../db/events/listEvents.ts';
import { listLatestEvents, MAX_LATEST_FACTS, type LatestEvent } from '../../../db/events/latest.ts';
import { listRejections, type StoredRejection } from '../../../db/events/rejections.ts';
import { findIdentities } from '../../../db/identities/identities.ts';
import { memberIds } from '../../../db/identities/identitiesOfPerson.ts';
import type { Queryable } from '../../../db/pool.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { identifiersOf, type Identifier } from '../../../domain/people/identity.ts';
import { EVENT_REJECTIONS } from '../../../domain/events/validateEvents.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { anonymousId, endUserOf, fingerprintUuid, userId } from '../../content/endUser.ts';
import { invalidRequest, notFound } from '../../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, readMomentCursor, toPage, writeMomentPosition } from '../../http/paging.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';

/** Maximum number of related records of each kind. */
const MAX_RELATED = 100;
const IMPRESSION_DAYS = 31;
const MAX_IMPRESSIONS = 1_000;

const thousands = (count: number): string => `${count / 1_000} 000`;
const eventType = (where: string) =>
  Type.Optional(text(64, { minLength: 1, description: `Код типа; только такие ${where}` }));

const maybeText = nullable(Type.String());
const maybeNumber = nullable(Type.Number());

const SentUser = Type.Object(
  { user_id: maybeText, anonymous_id: maybeText, fingerprint_uuid: maybeText },
  { title: 'SentUser', description: 'Кому принадлежит событие: устройство учётной записи — учётной записи' },
);

const ProjectEvent = Type.Object(
  {
    id: nullable(Type.String({ description: 'null у max и state: хранится событие, которое засчитано, без его id' })),
    type: Type.String(),
    item: Type.String(),
    user: SentUser,
    value: maybeNumber,
    occurred_at: dateTime(),
    received_at: dateTime(),
    recommendation_id: maybeText,
    surface: maybeText,
    position: nullable(Type.Integer()),
    order_id: maybeText,
    quantity: maybeNumber,
    price: maybeNumber,
  },
  { title: 'ProjectEvent' },
);

const RejectedEvent = Type.Object(
  {
    code: oneOf(EVENT_REJECTIONS),
    id: nullable(Type.String({ description: 'null — такого id быть не может; так же с type, item и user' })),
    type: maybeText,
    item: maybeText,
    user: SentUser,
    received_at: dateTime(),
  },
  { title: 'RejectedEvent' },
);

const ImpressionCounter = Type.Object(
  {
    day: Type.String({ description: 'День UTC' }),
    surface: nullable(Type.String({ description: 'null — не названа' })),
    position: nullable(
      Type.Integer({ description: 'Первая позиция корзины: 0–4, 5, 10, 20, 50, 100; null — не названа' }),
    ),
    count: Type.Integer({ minimum: 0 }),
  },
  { title: 'ImpressionCounter' },
);

const ProjectOrder = Type.Object(
  {
    order_id: Type.String(),
    status: oneOf(['created', 'cancelled']),
    occurred_at: dateTime(),
    updated_at: dateTime(),
    items: Type.Array(
      Type.Object({ item: Type.String(), quantity: Type.Number(), price: maybeNumber }, { title: 'ProjectOrderLine' }),
    ),
  },
  { title: 'ProjectOrder' },
);

const ProjectEvents = Type.Object(
  {
    items: Type.Array(ProjectEvent),
    next_cursor: maybeText,
    rejected: Type.Array(RejectedEvent, {
      description: `Отклонённые за сутки, до ${MAX_RELATED} последних; на первой странице`,
    }),
    impressions: Type.Array(ImpressionCounter, {
      description: `Показы объекта за ${IMPRESSION_DAYS} день; с item, на первой странице. По одному показы не хранятся`,
    }),
    orders: Type.Array(ProjectOrder, {
      description: `Заказы пользователя, до ${MAX_RELATED} последних; с идентификатором пользователя, на первой странице`,
    }),
  },
  { title: 'ProjectEvents' },
);

const user = { user_id: 'user-17', anonymous_id: null, fingerprint_uuid: null };
const eventExample: Static<typeof ProjectEvent> = {
  id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
  type: 'open',
  item: 'lesson-42',
  user,
  value: null,
  occurred_at: '2026-11-20T09:04:11.275Z',
  received_at: '2026-11-20T09:04:11.301Z',
  recommendation_id: null,
  surface: 'feed',
  position: 3,
  order_id: null,
  quantity: null,
  price: null,
};
const rejectionExample: Static<typeof RejectedEvent> = {
  code: 'unknown_item',
  id: 'a3d9f0c2-77e4-4b1b-8f6a-5c0e9d2b1a34',
  type: 'open',
  item: 'lesson-43',
  user,
  received_at: '2026-11-20T09:05:02.004Z',
};

export const listProjectEvents = define({
  method: 'get',
  path: '/projects/{id}/events',
  operationId: 'listProjectEvents',
  tag: 'events',
  summary: 'События пользователя или объекта, последние — первыми',
  description:
    'Нужен идентификатор пользователя, item или и то и другое. Видно то, что передал интегратор, и не более: события как они сохранены, ' +
    'отклонённые за последние сутки (из проекта — до 10 000), счётчики показов объекта и заказы пользователя. Об удалённых пользователях ничего нет.',
  params: ProjectPath,
  query: strictObject({
    user_id: Type.Optional(userId),
    anonymous_id: Type.Optional(anonymousId),
    fingerprint_uuid: Type.Optional(fingerprintUuid),
    item: Type.Optional(text(191, { minLength: 1, description: 'Идентификатор объекта, с процентным кодированием' })),
    type: eventType(`среди ${thousands(MAX_EXAMINED)} следующих событий`),
    ...pageQuery,
  }),
  replies: {
    200: {
      description: 'Страница событий',
      schema: ProjectEvents,
      example: {
        items: [eventExample],
        next_cursor: null,
        rejected: [rejectionExample],
        impressions: [],
        orders: [],
      },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const identifiers = identifiersOf(endUserOf(query), true);
    const item = query.item ?? null;
    if (identifiers.length === 0 && item === null) throw invalidRequest([{ field: 'user_id', code: 'required' }]);
    const before = readMomentCursor(query.cursor);
    if (!(await findProject(pool, params.id))) throw notFound();
    const limit = query.limit ?? DEFAULT_LIMIT;
    const identityIds = identifiers.length === 0 ? null : await findMembers(pool, params.id, identifiers);
    const type = query.type ?? null;
    const rows = await listEvents(pool, params.id, { identityIds, item, type, before, limit: limit + 1 });
    const page = toPage(rows, limit, ({ cursor }) => writeMomentPosition(cursor.moment, cursor.id), eventOf);
    const related =
      before === null
        ? await readRelated(pool, params.id, { identifiers, identityIds, item, type })
        : { rejected: [], impressions: [], orders: [] };
    return { status: 200, body: { ...page, ...related } };
  },
});

const LatestEvents = Type.Object(
  {
    items: Type.Array(ProjectEvent, { description: 'Полученные последними — первыми' }),
    rejected: Type.Array(RejectedEvent, { description: 'Отклонённые за сутки, полученные последними — первыми' }),
  },
  { title: 'LatestEvents' },
);

const MAX_LATEST = 200;
const DEFAULT_LATEST = 50;

export const listLatestProjectEvents = define({
  method: 'get',
  path: '/projects/{id}/events/latest',
  operationId: 'listLatestProjectEvents',
  tag: 'events',
  summary: 'События, полученные последними, и отклонённые',
  description:
    'Чтобы смотреть, как события приходят. Показов здесь нет: они только считаются. Из max и state — то, что за последний час изменилось и действует сейчас, до 50 из одного запроса; ' +
    'все их показывает listProjectEvents. Отклонённые хранятся сутки, из проекта — до 10 000. Об удалённых пользователях ничего нет.',
  params: ProjectPath,
  query: strictObject({
    type: eventType(`среди ${thousands(MAX_LATEST_FACTS)} последних`),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LATEST,
        default: DEFAULT_LATEST,
        description: 'Столько принятых и столько отклонённых',
      }),
    ),
  }),
  replies: {
    200: {
      description: 'Последние события',
      schema: LatestEvents,
      example: { items: [eventExample], rejected: [rejectionExample] },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    const [type, limit] = [query.type ?? null, query.limit ?? DEFAULT_LATEST];
    const events = await listLatestEvents(pool, params.id, { type, limit });
    const rejected = await listRejections(pool, params.id, { identifiers: [], item: null, type, limit });
    return { status: 200, body: { items: events.map(eventOf), rejected: rejected.map(rejectionOf) } };
  },
});

/** Returns everybody whom the identifiers name, with their devices. */
async function findMembers(db: Queryable, projectId: string, identifiers: readonly Identifier[]): Promise<string[]> {
  const roots = new Set((await findIdentities(db, projectId, identifiers)).values());
  const members: string[] = [];
  for (const rootId of roots) members.push(...(await memberIds(db, projectId, rootId)));
  return members;
}

interface EventSelector {
  identifiers: readonly Identifier[];
  identityIds: readonly string[] | null;
  item: string | null;
  type: string | null;
}

type RelatedRecords = Pick<Static<typeof ProjectEvents>, 'rejected' | 'impressions' | 'orders'>;

async function readRelated(
  db: Queryable,
  projectId: string,
  { identifiers, identityIds, item, type }: EventSelector,
): Promise<RelatedRecords> {
  const rejected = await listRejections(db, projectId, { identifiers, item, type, limit: MAX_RELATED });
  const impressions =
    item === null ? [] : await listImpressions(db, projectId, item, { days: IMPRESSION_DAYS, limit: MAX_IMPRESSIONS });
  const orders = identityIds === null ? [] : await listOrders(db, projectId, identityIds, MAX_RELATED);
  return {
    rejected: rejected.map(rejectionOf),
    impressions: impressions.map(impressionOf),
    orders: orders.map(orderOf),
  };
}

function eventOf(event: LatestEvent): Static<typeof ProjectEvent> {
  const { id, type, item, kind, externalId, value, surface, position, quantity, price } = event;
  return {
    id,
    type,
    item,
    user: {
      user_id: kind === 'user' ? externalId : null,
      anonymous_id: kind === 'anonymous' ? externalId : null,
      fingerprint_uuid: kind === 'fingerprint' ? externalId : null,
    },
    value,
    occurred_at: event.occurredAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
    recommendation_id: event.recommendationId,
    surface,
    position,
    order_id: event.orderId,
    quantity,
    price,
  };
}

function rejectionOf(rejection: StoredRejection): Static<typeof RejectedEvent> {
  const { code, eventId, type, item, receivedAt } = rejection;
  return {
    code,
    id: eventId,
    type,
    item,
    user: {
      user_id: rejection.userId,
      anonymous_id: rejection.anonymousId,
      fingerprint_uuid: rejection.fingerprint,
    },
    received_at: receivedAt.toISOString(),
  };
}

function impressionOf({ day, surface, bucket, count }: ImpressionCount): Static<typeof ImpressionCounter> {
  return { day, surface: surface === '' ? null : surface, position: bucket === -1 ? null : bucket, count };
}

function orderOf({ orderId, status, occurredAt, updatedAt, lines }: StoredOrder): Static<typeof ProjectOrder> {
  return {
    order_id: orderId,
    status,
    occurred_at: occurredAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    items: lines,
  };
}
