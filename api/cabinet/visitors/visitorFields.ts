/** Visitors and their visits in responses of the cabinet. */
import Type from 'typebox';
import type { StoredSite } from '../../../db/sites/sites.ts';
import type { AudienceValue } from '../../../db/sitePeople/readAudience.ts';
import type { VisitBrief } from '../../../db/visits/cabinetVisits.ts';
import type { ListedVisitor } from '../../../db/visits/visitorList.ts';
import { VALUE_SOURCES } from '../../../domain/people/personData.ts';
import { labelsOf } from '../../../reports/labels/index.ts';
import { findDimension } from '../../../reports/registry/index.ts';
import type { Language } from '../../../domain/language.ts';
import { dateTime, nullable, oneOf, orNull, type Static } from '../../../domain/schemas/schema.ts';

export const Visit = Type.Object(
  {
    id: Type.String(),
    started_at: dateTime(),
    ended_at: dateTime({ description: 'Последний хит' }),
    pageviews: Type.Integer(),
    goals: Type.Integer({ description: 'Достижений целей' }),
    entry_page: nullable(Type.String()),
    exit_page: nullable(Type.String()),
    source_type: nullable(Type.String({ description: 'По последнему значимому источнику, как в отчётах' })),
    source_name: nullable(Type.String()),
    device_type: nullable(Type.String()),
    browser: nullable(Type.String()),
    os: nullable(Type.String()),
    country: nullable(Type.String({ description: 'Код ISO 3166' })),
    region: nullable(Type.String({ description: 'Название на языке из Accept-Language' })),
    city: nullable(Type.String()),
    is_robot: Type.Boolean(),
  },
  { title: 'VisitorVisit' },
);

const visitor = {
  visitor_id: Type.String(),
  user_id: nullable(Type.String({ description: 'Пользователь сайта, с которым посетитель связан' })),
  first_visit_at: nullable(dateTime({ description: 'null, пока первые хиты обрабатываются' })),
  last_visit_at: nullable(dateTime({ description: 'Начало последнего визита' })),
  visits: Type.Integer({ description: 'Всех визитов, и тех, которых уже нет в списке' }),
};
export const VisitorListed = Type.Object(
  {
    ...visitor,
    recordings: Type.Integer({ description: 'Записей сессий' }),
    visit: orNull(Visit),
  },
  { title: 'Visitor' },
);

const visitId = nullable(Type.String({ description: 'Визит, к которому оно относится' }));

export const VisitorDetail = Type.Object(
  {
    ...visitor,
    user_ids: Type.Array(Type.String(), {
      description: 'Все, с кем он был когда-либо связан, последние первыми; до 100',
    }),
    being_deleted: Type.Boolean({ description: 'Удаление принято и ещё не выполнено' }),
    attributes: Type.Array(
      Type.Object({
        attribute: Type.String({ description: 'Как группировки аудитории в отчётах: gender, age_group, interest…' }),
        param: nullable(Type.String({ description: 'Ключ, если attribute — visitor_param' })),
        value: nullable(Type.String({ description: 'Код или текст' })),
        name: nullable(Type.String({ description: 'Название из словаря' })),
        strength: nullable(Type.Integer({ description: 'Интерес: сколько раз о нём сообщали' })),
        source: oneOf(VALUE_SOURCES, {
          description: 'user — сам посетитель или пользователь, site — сервер сайта, network — другие сайты сети',
        }),
      }),
      { description: 'Что известно сейчас о нём или о пользователе, с которым он связан' },
    ),
    recent_visits: Type.Array(Visit, { description: 'До 100 последних' }),
    goals: Type.Array(
      Type.Object({
        goal: Type.String(),
        title: nullable(Type.String({ description: 'null — цели больше нет' })),
        occurred_at: dateTime(),
        value: nullable(Type.Number({ description: 'В валюте сайта' })),
        visit_id: visitId,
      }),
      { description: 'До 200 последних' },
    ),
    orders: Type.Array(
      Type.Object({
        transaction_id: Type.String(),
        status: oneOf(['purchased', 'refunded']),
        occurred_at: dateTime(),
        revenue: nullable(Type.Number()),
        currency: nullable(Type.String()),
        promo_code: nullable(Type.String()),
        visit_id: visitId,
      }),
      { description: 'Покупки и возвраты, до 100 последних' },
    ),
  },
  { title: 'VisitorDetail' },
);

export const visitExample: Static<typeof Visit> = {
  id: '3d0c5f6e-8a41-8b2c-8f10-5a6b7c8d9e0f',
  started_at: '2026-11-20T10:15:29.000Z',
  ended_at: '2026-11-20T10:17:03.500Z',
  pageviews: 4,
  goals: 1,
  entry_page: 'https://shop.example.com/',
  exit_page: 'https://shop.example.com/thanks',
  source_type: 'organic',
  source_name: 'Yandex',
  device_type: 'desktop',
  browser: 'Firefox',
  os: 'Linux',
  country: 'RU',
  region: 'Москва',
  city: 'Москва',
  is_robot: false,
};
export const visitorExample = {
  visitor_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  user_id: 'user-7',
  first_visit_at: '2026-11-01T07:20:11.000Z',
  last_visit_at: '2026-11-20T10:15:29.000Z',
  visits: 4,
};

/** Returns the name of a code in the reader's language. */
export type Namer = (dimension: string, code: string | null) => string | null;

export function namerOf({ id, timezone, currency, rates }: StoredSite, language: Language): Namer {
  const site = { siteId: id, timezone, currency, rates, goals: [] };
  return (dimension, code) => {
    const label = labelsOf([dimension], [[code]], site, language)[0]?.[0] ?? null;
    if (label === null) return null;
    if (typeof label !== 'string') return label.name;
    return findDimension(dimension)?.dimension.codeNames?.get(label)?.[language] ?? null;
  };
}

export function toVisit(visit: VisitBrief, nameOf: Namer): Static<typeof Visit> {
  const { id, startedAt, endedAt, pageviews, goals, country, region, city } = visit;
  return {
    id,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    pageviews,
    goals,
    entry_page: visit.entryPage,
    exit_page: visit.exitPage,
    source_type: visit.sourceType,
    source_name: visit.sourceName,
    device_type: visit.deviceType,
    browser: visit.browser,
    os: visit.os,
    country,
    region: nameOf('region', region) ?? region,
    city: nameOf('city', city) ?? city,
    is_robot: visit.isRobot,
  };
}

export function toVisitor(
  { visitorId, userId, firstVisitAt, lastVisitAt, visits, recordings, visit }: ListedVisitor,
  nameOf: Namer,
): Static<typeof VisitorListed> {
  return {
    visitor_id: visitorId,
    user_id: userId,
    first_visit_at: firstVisitAt?.toISOString() ?? null,
    last_visit_at: lastVisitAt?.toISOString() ?? null,
    visits,
    recordings,
    visit: visit && toVisit(visit, nameOf),
  };
}

export function toAttribute(
  { attribute, param, value, json, strength, source }: AudienceValue,
  nameOf: Namer,
): Static<typeof VisitorDetail>['attributes'][number] {
  // A param may have any type; its text suffices for display.
  const text = value ?? (json === null || json === undefined ? null : JSON.stringify(json));
  return { attribute, param, value: text, name: nameOf(attribute, value), strength, source };
}
