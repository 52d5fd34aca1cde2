/** Pages and what was done on them. */
import type { Aggregate, Metric } from '../types.ts';
import { amountRatio, distinct, metric, ratio, sum } from './define.ts';

const IS_VIEW = `h.type = 'pageview'`;

/** Of hits whatever else is asked for, as the sequence of them is. */
const views = sum('hit', 'views', `case when ${IS_VIEW} then h.weight end`);
const uniqueViews = distinct('hit', 'unique_pageviews', () => ['h.visit_id', 'h.page_path'], { where: () => IS_VIEW });
const entrances = sum('hit', 'entrances', `case when ${IS_VIEW} and h.is_entrance then v.weight end`, {
  hitColumns: 'sequence',
  end: 'entry',
});
const exits = sum('hit', 'exits', `case when ${IS_VIEW} and h.is_exit then v.weight end`, {
  hitColumns: 'sequence',
  end: 'exit',
});
/** Whole, so that the sum is the same in whatever order it is made. */
const microsecondsOnPage = sum(
  'hit',
  'microseconds_on_page',
  `case when ${IS_VIEW} then h.weight * date_diff('microsecond', h."at", coalesce(h.next_at, v.ended_at)) end`,
  { hitColumns: 'sequence' },
);
/** Exact for the same reason; the intake takes whole percents. */
const scrollDepth = sum(
  'hit',
  'scroll_depth',
  `case when ${IS_VIEW} then h.weight * h.scroll_depth::DECIMAL(9,6) end`,
  { hitColumns: 'scroll' },
);
const hitsOf = (name: string, type: string): Aggregate =>
  sum('hit', name, `case when h.type = '${type}' then h.weight end`);

type Given = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const of = (given: Given): Metric => metric({ group: 'pages', level: 'hit', ...given });

/** The rows are those of all hits, also where the figure is taken from visits. */
const ofHitRows =
  (aggregate: Aggregate): Metric['sql'] =>
  (use) => {
    use(views);
    return use(aggregate);
  };

function hitType(id: string, type: string, en: string, ru: string): Metric {
  return of({
    id,
    type: 'count',
    label: { en, ru },
    ofVisit: { from: 'hit', sql: () => `count(*) filter (where h.type = '${type}')` },
    sql: (use) => use(hitsOf(id, type)),
  });
}

export const PAGES: readonly Metric[] = [
  of({
    id: 'unique_pageviews',
    type: 'count',
    label: { en: 'Unique page views', ru: 'Уникальные просмотры' },
    ofVisit: { from: 'hit', sql: () => `count(distinct h.page_path) filter (where ${IS_VIEW})` },
    sql: (use) => use(uniqueViews),
  }),
  of({ id: 'entrances', type: 'count', label: { en: 'Entrances', ru: 'Входы' }, sql: ofHitRows(entrances) }),
  of({ id: 'exits', type: 'count', label: { en: 'Exits', ru: 'Выходы' }, sql: ofHitRows(exits) }),
  of({
    id: 'exit_rate',
    type: 'share',
    label: { en: 'Exit rate', ru: 'Доля выходов' },
    // A visit's weight and that of its last page view differ where the quota ended or began between them.
    sql: (use) => `least(${ratio(use(exits), use(views))}, 1)`,
  }),
  of({
    id: 'avg_time_on_page',
    type: 'seconds',
    label: { en: 'Average time on page', ru: 'Среднее время на странице' },
    sql: (use) => ratio(use(microsecondsOnPage), `(${use(views)} * 1e6)`),
  }),
  of({
    id: 'avg_scroll_depth',
    type: 'percent',
    label: { en: 'Average scroll depth', ru: 'Средняя глубина прокрутки' },
    sql: (use) => amountRatio(use(scrollDepth), use(views)),
  }),
  hitType('events', 'event', 'Events', 'События'),
  hitType('form_submissions', 'form', 'Form submissions', 'Отправки форм'),
  hitType('outbound_clicks', 'outbound', 'Outbound clicks', 'Переходы по внешним ссылкам'),
  hitType('downloads', 'download', 'Downloads', 'Загрузки файлов'),
];
