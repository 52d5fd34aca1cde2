/** GET /sites/{id}/visitors and /sites/{id}/visitors/{visitor_id}. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { findVisitor } from '../../../db/sitePeople/readAudience.ts';
import { listVisitorGoals, listVisitorOrders, listVisits, readVisitorLinks } from '../../../db/visits/visitorFacts.ts';
import { findVisitors, listVisitors, type VisitFilter, type VisitPosition } from '../../../db/visits/visitorList.ts';
import { parseOptionalDateTime } from '../../../domain/dateTime.ts';
import { SOURCE_TYPES } from '../../../domain/sites/trafficSource.ts';
import { dateTime, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { languageOf } from '../../http/preferredLanguage.ts';
import {
  DEFAULT_LIMIT,
  pageQuery,
  readMomentCursor,
  toPage,
  writeCursor,
  writeMomentPosition,
} from '../../http/paging.ts';
import { define, pageOf, SITE_ID, SitePath, VISITOR_ID } from '../cabinetOperation.ts';
import {
  namerOf,
  toAttribute,
  toVisit,
  toVisitor,
  visitExample,
  VisitorDetail,
  visitorExample,
  VisitorListed,
} from './visitorFields.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

const DEFAULT_DAYS = 30;
const [MAX_USERS, MAX_VISITS, MAX_GOALS, MAX_ORDERS] = [100, 100, 200, 100];

const listQuery = strictObject({
  ...pageQuery,
  visitor: Type.Optional(VISITOR_ID),
  user_id: Type.Optional(
    text(ID_MAX_LENGTH, {
      minLength: 1,
      description: 'Посетители, которых когда-либо связали с этим пользователем; до 100',
    }),
  ),
  since: Type.Optional(
    dateTime({ description: `Визит начался не раньше; без него — за ${DEFAULT_DAYS} дней до until` }),
  ),
  until: Type.Optional(dateTime({ description: 'Визит начался раньше; без него — сейчас' })),
  goal: Type.Optional(text(64, { minLength: 1, description: 'Код цели, достигнутой за визит' })),
  source_type: Type.Optional(oneOf(SOURCE_TYPES, { description: 'Последний значимый источник, как в отчётах' })),
  source: Type.Optional(text(500, { minLength: 1, description: 'Название источника, как в source_name отчётов' })),
  page: Type.Optional(
    text(2048, { minLength: 1, description: 'Часть адреса первой или последней страницы визита; без учёта регистра' }),
  ),
});

export const listSiteVisitors = define({
  method: 'get',
  path: '/sites/{id}/visitors',
  operationId: 'listVisitors',
  tag: 'visitors',
  summary: 'Посетители сайта, последние первыми',
  description:
    'Каждый — один раз, с последним подходящим визитом; роботов нет. Визиты видны столько, сколько сайт их хранит, но не меньше полугода. За один ответ просматривается до 2 000 визитов: страница может быть короче limit или пустой, а next_cursor ведёт дальше, пока он не null. С visitor или user_id остальные условия и cursor не действуют, и роботы есть.',
  params: SitePath,
  query: listQuery,
  replies: {
    200: {
      description: 'Страница посетителей',
      schema: pageOf(VisitorListed, 'VisitorPage'),
      example: { items: [{ ...visitorExample, recordings: 2, visit: visitExample }], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query, headers }, { pool }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = positionOf(query.cursor);
    const site = await findSite(pool, params.id);
    if (!site) throw notFound();
    const nameOf = namerOf(site, languageOf(headers));
    if (query.visitor !== undefined || query.user_id !== undefined) {
      const who = { visitorId: query.visitor?.toLowerCase() ?? null, userId: query.user_id ?? null };
      const found = await findVisitors(pool, params.id, who, Math.min(limit, DEFAULT_LIMIT));
      return { status: 200, body: { items: found.map((one) => toVisitor(one, nameOf)), next_cursor: null } };
    }
    const { visitors, end } = await listVisitors(pool, params.id, filterOf(query), { after, limit: limit + 1 });
    const page = toPage(visitors, limit, positionText, (one) => toVisitor(one, nameOf));
    const next = page.next_cursor ?? (end && writeCursor(positionText(end)));
    return { status: 200, body: { ...page, next_cursor: next } };
  },
});

function positionOf(cursor: string | undefined): VisitPosition | null {
  const position = readMomentCursor(cursor);
  return position && { startedAt: position.moment, visitId: position.id };
}

function positionText({ startedAt, visitId }: VisitPosition): string {
  return writeMomentPosition(startedAt, visitId);
}

function filterOf({ since, until, goal, source_type, source, page }: Static<typeof listQuery>): VisitFilter {
  // A little in the future, since the clocks of processes differ.
  const end = parseOptionalDateTime(until) ?? new Date(Date.now() + DAY_MS);
  return {
    since: parseOptionalDateTime(since) ?? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS),
    until: end,
    goal: goal ?? null,
    sourceType: source_type ?? null,
    sourceName: source ?? null,
    page: page ?? null,
  };
}

export const getSiteVisitor = define({
  method: 'get',
  path: '/sites/{id}/visitors/{visitor_id}',
  operationId: 'getVisitor',
  tag: 'visitors',
  summary: 'Посетитель: визиты, цели, заказы и что о нём известно',
  description: 'Записи его сессий — GET /sites/{id}/recordings?visitor=…',
  params: strictObject({ id: SITE_ID, visitor_id: VISITOR_ID }),
  replies: {
    200: {
      description: 'Посетитель',
      schema: VisitorDetail,
      example: {
        ...visitorExample,
        user_ids: ['user-7'],
        being_deleted: false,
        attributes: [
          { attribute: 'interest', param: null, value: 'sport-football', name: 'Футбол', strength: 2, source: 'user' },
        ],
        recent_visits: [visitExample],
        goals: [
          {
            goal: 'checkout',
            title: 'Оформление заказа',
            occurred_at: '2026-11-20T10:16:50.000Z',
            value: null,
            visit_id: visitExample.id,
          },
        ],
        orders: [
          {
            transaction_id: 't-1001',
            status: 'purchased',
            occurred_at: '2026-11-20T10:16:50.000Z',
            revenue: 1990,
            currency: 'RUB',
            promo_code: null,
            visit_id: visitExample.id,
          },
        ],
      },
    },
  },
  errors: [404],
  async handle({ params, headers }, { pool }) {
    const site = await findSite(pool, params.id);
    const key = { siteId: params.id, visitorId: params.visitor_id.toLowerCase() };
    const [visitor, listed] = await Promise.all([
      findVisitor(pool, key.siteId, key.visitorId),
      findVisitors(pool, key.siteId, { visitorId: key.visitorId, userId: null }, 1),
    ]);
    if (!site || !visitor) throw notFound();
    const [links, visits, goals, orders] = await Promise.all([
      readVisitorLinks(pool, key, MAX_USERS),
      listVisits(pool, key, MAX_VISITS),
      listVisitorGoals(pool, key, MAX_GOALS),
      listVisitorOrders(pool, key, MAX_ORDERS),
    ]);
    const nameOf = namerOf(site, languageOf(headers));
    return {
      status: 200,
      body: {
        visitor_id: visitor.visitorId,
        user_id: listed[0]?.userId ?? null,
        first_visit_at: visitor.firstVisitAt?.toISOString() ?? null,
        last_visit_at: visitor.lastVisitAt?.toISOString() ?? null,
        visits: visitor.visits,
        user_ids: links.userIds,
        being_deleted: links.isBeingDeleted,
        attributes: visitor.values.map((value) => toAttribute(value, nameOf)),
        recent_visits: visits.map((visit) => toVisit(visit, nameOf)),
        goals: goals.map(({ goal, title, occurredAt, value, visitId }) => ({
          goal,
          title,
          occurred_at: occurredAt.toISOString(),
          value,
          visit_id: visitId,
        })),
        orders: orders.map((order) => ({
          transaction_id: order.transactionId,
          status: order.status,
          occurred_at: order.occurredAt.toISOString(),
          revenue: order.revenue,
          currency: order.currency,
          promo_code: order.promoCode,
          visit_id: order.visitId,
        })),
      },
    };
  },
});
