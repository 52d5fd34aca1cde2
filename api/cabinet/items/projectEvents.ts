/** Lists events by user or by item: GET /projects/{id}/events. latestEvents.ts lists a project's latest events. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import {
  listEvents,
  listImpressions,
  listOrders,
  MAX_EXAMINED,
  type ImpressionCount,
  type StoredOrder,
} from '../../../db/events/listEvents.ts';
import { listRejections } from '../../../db/events/rejections.ts';
import { findIdentities } from '../../../db/identities/identities.ts';
import { memberIds } from '../../../db/identities/identitiesOfPerson.ts';
import type { Queryable } from '../../../db/pool.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { identifiersOf, type Identifier } from '../../../domain/people/identity.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { anonymousId, endUserOf, fingerprintUuid, userId } from '../../content/endUser.ts';
import { invalidRequest, notFound } from '../../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, readMomentCursor, toPage, writeMomentPosition } from '../../http/paging.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';
import {
  eventExample,
  eventOf,
  eventType,
  maybeNumber,
  maybeText,
  ProjectEvent,
  RejectedEvent,
  rejectionExample,
  rejectionOf,
  thousands,
} from './eventRecords.ts';

/** Maximum number of rejected events, and of orders. */
const MAX_RELATED = 100;
const IMPRESSION_DAYS = 31;
const MAX_IMPRESSIONS = 1_000;

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
      description:
        `Показы объекта за ${IMPRESSION_DAYS} день; с item, на первой странице. По одному показы не хранятся. ` +
        `Сверх ${thousands(MAX_IMPRESSIONS)} счётчиков наименьшие сложены по дням, без поверхности и позиции`,
    }),
    orders: Type.Array(ProjectOrder, {
      description: `Заказы пользователя, до ${MAX_RELATED} последних; с идентификатором пользователя, на первой странице`,
    }),
  },
  { title: 'ProjectEvents' },
);

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
    item: Type.Optional(
      text(ID_MAX_LENGTH, { minLength: 1, description: 'Идентификатор объекта, с процентным кодированием' }),
    ),
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
