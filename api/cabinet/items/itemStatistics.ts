/** Statistics of an item by day: GET /projects/{id}/items/{item}/statistics. */
import { listEventTypes } from '../../../db/events/eventTypes.ts';
import { readKnownIds } from '../../../db/output/itemProperties.ts';
import type { Queryable } from '../../../db/pool.ts';
import {
  readDayCounts,
  readDayImpressions,
  readLeftOfDeleted,
  readPeople,
  readRowsOfPeriod,
  type DayImpressions,
  type ItemPeriod,
} from '../../../db/statistics/readStatistics.ts';
import { dayOf } from '../../../domain/events/changedDays.ts';
import type { EventType } from '../../../domain/events/eventTypes.ts';
import {
  averageOf,
  MAX_STATISTICS_DAYS,
  MAX_EVENTS_FOR_DISTINCT_PEOPLE,
  totalsByType,
  USUAL_STATISTICS_DAYS,
  type DayCounts,
} from '../../../domain/items/statistics.ts';
import { strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, ProjectItemPath } from '../cabinetOperation.ts';
import { ItemStatistics, statisticsExample, type TypeTotal } from './itemStatisticsFields.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';
import { dayField, utcDaysOf } from '../utcDays.ts';

export const getItemStatistics = define({
  method: 'get',
  path: '/projects/{id}/items/{item}/statistics',
  operationId: 'getItemStatistics',
  tag: 'items',
  summary: 'Что делали с объектом, по дням',
  description: `Дни — по UTC, обе даты включительно, не больше ${MAX_STATISTICS_DAYS}; без дат — последние ${USUAL_STATISTICS_DAYS}. События учитываются через секунды после приёма, и опоздавшие — в свой день. Удалённый пользователь исчезает из чисел, когда удалены его события; показы без имени остаются. Не идентифицирующие человека суммы удалённых — в of_deleted.`,
  params: ProjectItemPath,
  query: strictObject({ from: dayField('Первый день'), to: dayField('Последний день') }),
  replies: { 200: { description: 'Статистика', schema: ItemStatistics, example: statisticsExample } },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const bounds = { defaultDays: USUAL_STATISTICS_DAYS, maxDays: MAX_STATISTICS_DAYS, lastField: 'to' };
    const { from, until } = utcDaysOf([query.from, query.to], bounds, new Date());
    const { id: projectId, item: itemId } = params;
    if (!(await readKnownIds(pool, projectId, [itemId])).has(itemId)) throw notFound();
    const period = { projectId, itemId, firstDay: dayOf(from), lastDay: dayOf(until) - 1 };
    const types = await listEventTypes(pool, projectId);
    const [days, impressions, left, people] = await Promise.all([
      readDayCounts(pool, period),
      readDayImpressions(pool, period),
      readLeftOfDeleted(pool, projectId, itemId),
      peopleOf(pool, period, types),
    ]);
    const body = {
      from: isoDay(period.firstDay),
      to: isoDay(period.lastDay),
      days: daysOf(period, days, impressions),
      totals: {
        impressions: impressions.reduce((sum, { count }) => sum + count, 0),
        people: people && (people.get(null) ?? 0),
        types: totalsOf(days, types, people),
      },
      of_deleted: left,
    };
    return { status: 200, body };
  },
});

type People = ReadonlyMap<string | null, number> | null;

/** Returns null when there are too many events to read each of them. */
async function peopleOf(pool: Queryable, period: ItemPeriod, types: readonly EventType[]): Promise<People> {
  if ((await readRowsOfPeriod(pool, period)) > MAX_EVENTS_FOR_DISTINCT_PEOPLE) return null;
  const states = types.filter(({ mode }) => mode === 'state').map(({ code }) => code);
  return new Map((await readPeople(pool, period, states)).map(({ type, people }) => [type, people]));
}

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

function daysOf(
  { firstDay, lastDay }: ItemPeriod,
  counted: readonly DayCounts[],
  impressions: readonly DayImpressions[],
): Static<typeof ItemStatistics>['days'] {
  const byDay = Map.groupBy(counted, ({ day }) => day);
  const shown = new Map(impressions.map(({ day, count }) => [day, count]));
  return Array.from({ length: lastDay - firstDay + 1 }, (_, at) => firstDay + at).map((day) => ({
    day: isoDay(day),
    impressions: shown.get(day) ?? 0,
    types: (byDay.get(day) ?? []).map(({ type, people, events, revenue, ...values }) => ({
      type,
      people,
      events,
      value_average: averageOf(values),
      revenue,
    })),
  }));
}

function totalsOf(days: readonly DayCounts[], types: readonly EventType[], people: People): Static<typeof TypeTotal>[] {
  const known = new Map(types.map((type) => [type.code, type]));
  return Array.from(totalsByType(days), ([code, { events, revenue, ...values }]) => {
    const type = known.get(code);
    return {
      type: code,
      title: type?.title ?? code,
      value_kind: type?.value_kind ?? 'none',
      is_open: type?.is_open ?? false,
      is_goal: type?.is_goal ?? false,
      is_purchase: type?.is_purchase ?? false,
      people: people && (people.get(code) ?? 0),
      events,
      value_average: averageOf(values),
      revenue,
    };
  }).toSorted((a, b) => b.events - a.events || (a.type < b.type ? -1 : 1));
}
