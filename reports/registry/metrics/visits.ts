/** Visits and who made them. */
import type { Aggregate, Metric } from '../types.ts';
import { distinct, metric, ratio, sum } from './define.ts';

export const visits = sum('visit', 'visits', 'v.weight');
export const visitors = distinct('visit', 'visitors', 'v.visitor_id');
/** What rates are of. */
export const allVisits = sum('visit', 'all_visits', 'v.weight', { over: 'visits' });
export const allVisitors = distinct('visit', 'all_visitors', 'v.visitor_id', { over: 'visits' });
/** With pages, the page views of those pages; else what each visit knows of its own. */
export const pageviews = sum('visit', 'pageviews', 'v.weighted_pageviews', {
  ofHits: () => `case when h.type = 'pageview' then h.weight end`,
});
const hits = sum('visit', 'hits', 'v.weighted_hits', { ofHits: () => 'h.weight' });
const users = distinct('visit', 'users', 'v.user_id', { namedUser: 'v.user_id' });
const newVisitors = distinct('visit', 'new_visitors', 'v.visitor_id', { some: () => 'v.visit_number = 1' });
/** Whole, so that the sum is the same in whatever order it is made. */
const milliseconds = sum('visit', 'milliseconds', 'v.weight * round(v.duration_s * 1000)::BIGINT');
const visitsThat = (name: string, condition: string): Aggregate =>
  sum('visit', name, `case when ${condition} then v.weight end`);
const bounces = visitsThat('bounces', 'v.is_bounce');
const robots = visitsThat('robot_visits', 'v.is_robot');
const mobile = visitsThat('mobile_visits', `v.device_type = 'mobile'`);

type Given = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const of = (given: Given): Metric => metric({ group: 'visits', level: 'visit', ...given });

export const VISITS: readonly Metric[] = [
  of({ id: 'visits', type: 'count', label: { en: 'Visits', ru: 'Визиты' }, sql: (use) => use(visits) }),
  of({ id: 'visitors', type: 'count', label: { en: 'Visitors', ru: 'Посетители' }, sql: (use) => use(visitors) }),
  of({ id: 'users', type: 'count', label: { en: 'Users', ru: 'Пользователи' }, sql: (use) => use(users) }),
  of({
    id: 'new_visitors',
    type: 'count',
    label: { en: 'New visitors', ru: 'Новые посетители' },
    sql: (use) => use(newVisitors),
  }),
  of({
    id: 'new_visitors_share',
    type: 'share',
    label: { en: 'Share of new visitors', ru: 'Доля новых посетителей' },
    sql: (use) => ratio(use(newVisitors), use(visitors)),
  }),
  of({
    id: 'pageviews',
    type: 'count',
    label: { en: 'Page views', ru: 'Просмотры' },
    ofVisit: { from: 'visit', sql: () => 'v.pageviews' },
    sql: (use) => use(pageviews),
  }),
  of({
    id: 'hits',
    type: 'count',
    label: { en: 'Hits', ru: 'Хиты' },
    ofVisit: { from: 'visit', sql: () => 'v.hits' },
    sql: (use) => use(hits),
  }),
  of({
    id: 'pages_per_visit',
    type: 'number',
    label: { en: 'Pages per visit', ru: 'Глубина просмотра' },
    ofVisit: { from: 'visit', sql: () => 'v.pageviews' },
    sql: (use) => ratio(use(pageviews), use(visits)),
  }),
  of({
    id: 'avg_visit_duration',
    type: 'seconds',
    label: { en: 'Average visit duration', ru: 'Средняя длительность визита' },
    ofVisit: { from: 'visit', sql: () => 'v.duration_s' },
    sql: (use) => ratio(use(milliseconds), `(${use(visits)} * 1000)`),
  }),
  of({
    id: 'bounce_rate',
    type: 'share',
    label: { en: 'Bounce rate', ru: 'Доля отказов' },
    sql: (use) => ratio(use(bounces), use(visits)),
  }),
  of({
    id: 'bounces',
    type: 'count',
    label: { en: 'Bounces', ru: 'Отказы' },
    ofVisit: { from: 'visit', sql: () => 'v.is_bounce::INTEGER' },
    sql: (use) => use(bounces),
  }),
  of({
    id: 'visits_per_visitor',
    type: 'number',
    label: { en: 'Visits per visitor', ru: 'Визитов на посетителя' },
    sql: (use) => ratio(use(visits), use(visitors)),
  }),
  of({
    id: 'visits_per_day',
    type: 'number',
    label: { en: 'Visits per day', ru: 'Визитов в день' },
    sql: (use, { days }) => `${use(visits)} / ${days}`,
  }),
  of({
    id: 'robot_visits',
    type: 'count',
    label: { en: 'Visits of robots', ru: 'Визиты роботов' },
    sql: (use) => use(robots),
  }),
  of({
    id: 'robot_share',
    type: 'share',
    label: { en: 'Share of robots', ru: 'Доля роботов' },
    sql: (use) => ratio(use(robots), use(visits)),
  }),
  of({
    id: 'mobile_share',
    type: 'share',
    label: { en: 'Share of mobile visits', ru: 'Доля мобильных визитов' },
    sql: (use) => ratio(use(mobile), use(visits)),
  }),
];
