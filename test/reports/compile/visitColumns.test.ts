import { expect, it } from '@jest/globals';
import { compileReport, type CompileContext } from '../../../reports/compile/index.ts';
import { DUCKDB } from '../../../reports/sql/duckdb.ts';
import type { ReportRequest } from '../../../reports/reportRequest.ts';

const REQUEST: ReportRequest = {
  dimensions: [],
  metrics: ['visits'],
  date_from: '2026-03-01',
  date_to: '2026-03-02',
  filters: [],
  segment: null,
  attribution: 'first',
  robots: 'exclude',
  sort: [],
  limit: 10,
  offset: 0,
};
const CONTEXT: CompileContext = {
  dialect: DUCKDB,
  snapshot: 1,
  hasFresh: true,
  hasLeftOut: false,
  refundedFrom: null,
  site: { siteId: 'site00000001', timezone: 'UTC', currency: 'RUB', rates: {}, goals: [] },
  sampled: false,
  lateEventHours: 24,
  audienceMinPeople: 1,
};
/** Columns by which visits are found and robots excluded. */
const ALWAYS = ['is_robot', 'started_at'];

it.each<[string, Partial<ReportRequest>, Partial<CompileContext>, string[]]>([
  ['those of the metric', {}, {}, ['weight']],
  ['one source of three', { dimensions: ['utm_source'] }, {}, ['source_first', 'weight']],
  ['those of a filter', { filters: [{ dimension: 'country', op: 'eq', values: ['RU'] }] }, {}, ['country', 'weight']],
  [
    'those of a condition of the segment',
    { segment: { scope: 'visit', condition: { not: { metric: 'pageviews', op: 'gt', value: 1 } } } },
    {},
    ['pageviews', 'weight'],
  ],
  ['those by which a sample is taken', {}, { sampled: true }, ['visitor_bucket', 'weight']],
  [
    'none for facts whose visits are not requested',
    { metrics: ['orders'], dimensions: ['date', 'order_status'] },
    {},
    [],
  ],
  [
    'those of the visits of facts, not those of the facts',
    { metrics: ['orders'], dimensions: ['os'], filters: [{ dimension: 'promo_code', op: 'neq', values: ['A'] }] },
    {},
    ['os'],
  ],
  ['those that hits need', { metrics: ['avg_time_on_page'], dimensions: ['page_title'] }, {}, ['ended_at']],
  [
    'those of one end of a visit',
    { metrics: ['people'], dimensions: ['exit_path'] },
    {},
    ['exit_path', 'visitor_id', 'weight'],
  ],
])('columns of open visits are read: %s', (_title, request, context, expected) => {
  const read = [...compileReport({ ...REQUEST, ...request }, { ...CONTEXT, ...context }).visitColumns].filter(
    (name) => name !== 'visit_id' && !ALWAYS.includes(name),
  );
  expect(read.sort()).toEqual(expected);
});
