/** Pages and the actions on them. */
import { call, literal, sql, type Sql } from '../../sql/index.ts';
import { h, v } from '../entry/columns.ts';
import type { Metric } from '../entry/types.ts';
import { amountIf, amountRatio, countIf, distinct, metric, ratio, sum, type Figure } from './defineMetric.ts';

const isOfType = (type: string): Sql => sql`${h.type} = ${literal(type)}`;
const IS_VIEW = isOfType('pageview');

/** Always counted from hits, as entrances and exits may be. */
const views = sum('hit', 'views', amountIf(IS_VIEW, h.weight));
const uniqueViews = distinct('hit', 'unique_pageviews', [h.visit_id, h.page_path], { where: IS_VIEW });
const entrances = sum('hit', 'entrances', amountIf(sql`${IS_VIEW} and ${h.is_entrance}`, v.weight), { end: 'entry' });
const exits = sum('hit', 'exits', amountIf(sql`${IS_VIEW} and ${h.is_exit}`, v.weight), { end: 'exit' });
/** Whole numbers, so that the sum does not depend on the order of the rows. */
const microsecondsOnPage = sum(
  'hit',
  'microseconds_on_page',
  amountIf(
    IS_VIEW,
    sql`${h.weight} * ${call('microsecondsBetween', h.at, sql`coalesce(${h.next_at}, ${v.ended_at})`)}`,
  ),
);
/** Exact for the same reason; the intake accepts whole percents. */
const scrollDepth = sum(
  'hit',
  'scroll_depth',
  amountIf(IS_VIEW, sql`${h.weight} * ${call('percent', h.scroll_depth)}`),
);
const hitsOf = (name: string, type: string): Figure => sum('hit', name, amountIf(isOfType(type), h.weight));

type MetricOptions = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const pageMetric = (given: MetricOptions): Metric => metric({ group: 'pages', level: 'hit', ...given });

function hitType(id: string, type: string, en: string, ru: string): Metric {
  return pageMetric({
    id,
    type: 'count',
    label: { en, ru },
    perVisit: { level: 'hit', value: countIf(isOfType(type)) },
    value: hitsOf(id, type),
  });
}

export const PAGES: readonly Metric[] = [
  pageMetric({
    id: 'unique_pageviews',
    type: 'count',
    label: { en: 'Unique page views', ru: 'Уникальные просмотры' },
    perVisit: { level: 'hit', value: sql`count(distinct ${h.page_path}) filter (where ${IS_VIEW})` },
    value: uniqueViews,
  }),
  // They have the rows of all page views, even if the number is taken from visits.
  pageMetric({
    id: 'entrances',
    type: 'count',
    label: { en: 'Entrances', ru: 'Входы' },
    value: entrances,
    rowsOf: views,
  }),
  pageMetric({ id: 'exits', type: 'count', label: { en: 'Exits', ru: 'Выходы' }, value: exits, rowsOf: views }),
  pageMetric({
    id: 'exit_rate',
    type: 'share',
    label: { en: 'Exit rate', ru: 'Доля выходов' },
    // The weights of a visit and of its last page view differ if the quota ended or began between them.
    value: sql`least(${ratio(exits, views)}, 1)`,
  }),
  pageMetric({
    id: 'avg_time_on_page',
    type: 'seconds',
    label: { en: 'Average time on page', ru: 'Среднее время на странице' },
    value: ratio(microsecondsOnPage, sql`(${views} * 1e6)`),
  }),
  pageMetric({
    id: 'avg_scroll_depth',
    type: 'percent',
    label: { en: 'Average scroll depth', ru: 'Средняя глубина прокрутки' },
    value: amountRatio(scrollDepth, views),
  }),
  hitType('events', 'event', 'Events', 'События'),
  hitType('form_submissions', 'form', 'Form submissions', 'Отправки форм'),
  hitType('outbound_clicks', 'outbound', 'Outbound clicks', 'Переходы по внешним ссылкам'),
  hitType('downloads', 'download', 'Downloads', 'Загрузки файлов'),
];
