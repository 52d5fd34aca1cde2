/** Visits and visitors. */
import { call, sql } from '../../sql/index.ts';
import { h, v } from '../entry/columns.ts';
import type { Expression } from '../entry/terms.ts';
import type { Metric } from '../entry/types.ts';
import { amountIf, DAYS, distinct, metric, ratio, sum, type Figure } from './defineMetric.ts';

export const visits = sum('visit', 'visits', v.weight);
export const visitors = distinct('visit', 'visitors', v.visitor_id);
/** The denominators of rates. */
export const allVisits = sum('visit', 'all_visits', v.weight, { population: 'visits' });
export const allVisitors = distinct('visit', 'all_visitors', v.visitor_id, { population: 'visits' });
/** In a report by pages these are the page views of those pages, else the numbers that visits have. */
export const pageviews = sum('visit', 'pageviews', v.weighted_pageviews, {
  hitAmount: amountIf(sql`${h.type} = 'pageview'`, h.weight),
});
const hits = sum('visit', 'hits', v.weighted_hits, { hitAmount: h.weight });
const users = distinct('visit', 'users', v.user_id, { namedUser: v.user_id });
const newVisitors = distinct('visit', 'new_visitors', v.visitor_id, { whereAny: sql`${v.visit_number} = 1` });
/** Whole numbers, so that the sum does not depend on the order of the rows. */
const milliseconds = sum('visit', 'milliseconds', sql`${v.weight} * ${call('rounded', sql`${v.duration_s} * 1000`)}`);
const visitsThat = (name: string, condition: Expression): Figure => sum('visit', name, amountIf(condition, v.weight));
/** A column of the visit: domain/visits/bounce.ts decides what a bounce is. */
const bounces = visitsThat('bounces', v.is_bounce);
const robots = visitsThat('robot_visits', v.is_robot);
const mobile = visitsThat('mobile_visits', sql`${v.device_type} = 'mobile'`);

type MetricOptions = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const visitMetric = (given: MetricOptions): Metric => metric({ group: 'visits', level: 'visit', ...given });

export const VISITS: readonly Metric[] = [
  visitMetric({ id: 'visits', type: 'count', label: { en: 'Visits', ru: 'Визиты' }, value: visits }),
  visitMetric({ id: 'visitors', type: 'count', label: { en: 'Visitors', ru: 'Посетители' }, value: visitors }),
  visitMetric({ id: 'users', type: 'count', label: { en: 'Users', ru: 'Пользователи' }, value: users }),
  visitMetric({
    id: 'new_visitors',
    type: 'count',
    label: { en: 'New visitors', ru: 'Новые посетители' },
    value: newVisitors,
  }),
  visitMetric({
    id: 'new_visitors_share',
    type: 'share',
    label: { en: 'Share of new visitors', ru: 'Доля новых посетителей' },
    value: ratio(newVisitors, visitors),
  }),
  visitMetric({
    id: 'pageviews',
    type: 'count',
    label: { en: 'Page views', ru: 'Просмотры' },
    perVisit: { level: 'visit', value: v.pageviews },
    value: pageviews,
  }),
  visitMetric({
    id: 'hits',
    type: 'count',
    label: { en: 'Hits', ru: 'Хиты' },
    perVisit: { level: 'visit', value: v.hits },
    value: hits,
  }),
  visitMetric({
    id: 'pages_per_visit',
    type: 'number',
    label: { en: 'Pages per visit', ru: 'Глубина просмотра' },
    perVisit: { level: 'visit', value: v.pageviews },
    value: ratio(pageviews, visits),
  }),
  visitMetric({
    id: 'avg_visit_duration',
    type: 'seconds',
    label: { en: 'Average visit duration', ru: 'Средняя длительность визита' },
    perVisit: { level: 'visit', value: v.duration_s },
    value: ratio(milliseconds, sql`(${visits} * 1000)`),
  }),
  visitMetric({
    id: 'bounce_rate',
    type: 'share',
    label: { en: 'Bounce rate', ru: 'Доля отказов' },
    value: ratio(bounces, visits),
  }),
  visitMetric({
    id: 'bounces',
    type: 'count',
    label: { en: 'Bounces', ru: 'Отказы' },
    perVisit: { level: 'visit', value: call('integer', v.is_bounce) },
    value: bounces,
  }),
  visitMetric({
    id: 'visits_per_visitor',
    type: 'number',
    label: { en: 'Visits per visitor', ru: 'Визитов на посетителя' },
    value: ratio(visits, visitors),
  }),
  visitMetric({
    id: 'visits_per_day',
    type: 'number',
    label: { en: 'Visits per day', ru: 'Визитов в день' },
    value: sql`${visits} / ${DAYS}`,
  }),
  visitMetric({
    id: 'robot_visits',
    type: 'count',
    label: { en: 'Robot visits', ru: 'Визиты роботов' },
    value: robots,
  }),
  visitMetric({
    id: 'robot_share',
    type: 'share',
    label: { en: 'Share of robots', ru: 'Доля роботов' },
    value: ratio(robots, visits),
  }),
  visitMetric({
    id: 'mobile_share',
    type: 'share',
    label: { en: 'Share of mobile visits', ru: 'Доля мобильных визитов' },
    value: ratio(mobile, visits),
  }),
];
