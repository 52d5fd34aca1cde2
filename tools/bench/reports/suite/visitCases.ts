/** Questions about visits. */
import { ask, isTrue, SUM, VISITORS, visitsOf, type Case } from './cases.ts';

const BOUNCES = `sum(weight * ${isTrue('is_bounce')})`;
const SECONDS = 'sum(weight * duration_s)';

export const VISIT_CASES: readonly Case[] = [
  {
    name: 'days',
    request: ask({ dimensions: ['date'], metrics: ['visits', 'visitors', 'pageviews'], limit: 1_000 }),
    rival: (d, site) => ({
      from: 'visits',
      where: visitsOf(d, site),
      dimensions: [{ key: d.day('started_at'), text: d.dayText }],
      sums: SUM,
      distinct: VISITORS,
      metrics: ['visits', 'visitors', 'pageviews'],
      order: 'd0',
      limit: 1_000,
    }),
  },
  {
    name: 'people of 13 months',
    request: ask({ dimensions: [], metrics: ['visitors', 'visits', 'new_visitors'] }),
    rival: (d, site) => ({
      from: 'visits',
      where: visitsOf(d, site),
      dimensions: [],
      sums: SUM,
      distinct: { ...VISITORS, fresh: { of: 'visitor_id', where: 'visit_number = 1' } },
      metrics: ['visitors', 'visits', 'fresh'],
      limit: 1,
    }),
  },
  {
    name: 'sources',
    request: ask({
      dimensions: ['source_type', 'source_name'],
      metrics: ['visits', 'visitors', 'bounce_rate', 'pages_per_visit', 'avg_visit_duration'],
    }),
    rival: (d, site) => ({
      from: 'visits',
      where: visitsOf(d, site),
      dimensions: [{ key: 'source_last_significant_source_type' }, { key: 'source_last_significant_source_name' }],
      sums: { ...SUM, bounces: BOUNCES, seconds: SECONDS },
      distinct: VISITORS,
      metrics: [
        'visits',
        'visitors',
        `bounces / ${d.number('visits')}`,
        `pageviews / ${d.number('visits')}`,
        'seconds / visits',
      ],
      limit: 100,
    }),
  },
  {
    name: 'campaigns',
    request: ask({
      dimensions: ['utm_source', 'utm_medium', 'utm_campaign'],
      metrics: ['visits', 'bounces', 'conversion_rate'],
      filters: [{ dimension: 'source_type', op: 'eq', values: ['ad'] }],
      attribution: 'last',
    }),
    rival: (d, site) => ({
      from: 'visits',
      where: `${visitsOf(d, site)} and source_last_source_type = 'ad'`,
      dimensions: [
        { key: 'source_last_utm_source' },
        { key: 'source_last_utm_medium' },
        { key: 'source_last_utm_campaign' },
      ],
      sums: {
        visits: SUM.visits,
        bounces: BOUNCES,
        converted: d.sumIf('weight', `visit_id in (select visit_id from conversions where site_id = '${site}')`),
      },
      metrics: ['visits', 'bounces', `converted / ${d.number('visits')}`],
      limit: 100,
    }),
  },
  {
    name: 'five dimensions',
    request: ask({
      dimensions: ['source_type', 'device_type', 'country', 'browser', 'visitor_type'],
      metrics: ['visits', 'visitors', 'bounce_rate'],
    }),
    rival: (d, site) => ({
      from: 'visits',
      where: visitsOf(d, site),
      sums: { visits: SUM.visits, bounces: BOUNCES },
      distinct: VISITORS,
      metrics: ['visits', 'visitors', `bounces / ${d.number('visits')}`],
      limit: 100,
      dimensions: [
        { key: 'source_last_significant_source_type' },
        { key: 'device_type' },
        { key: 'country' },
        { key: 'browser' },
        { key: `case when visit_number = 1 then 'new' else 'returning' end` },
      ],
    }),
  },
  {
    name: 'landing pages',
    request: ask({ dimensions: ['entry_path'], metrics: ['visits', 'bounce_rate', 'avg_visit_duration'] }),
    rival: (d, site) => ({
      from: 'visits',
      where: visitsOf(d, site),
      dimensions: [{ key: 'entry_path' }],
      sums: { visits: SUM.visits, bounces: BOUNCES, seconds: SECONDS },
      metrics: ['visits', `bounces / ${d.number('visits')}`, 'seconds / visits'],
      limit: 100,
    }),
  },
  {
    name: 'cities, filtered',
    request: ask({
      dimensions: ['country', 'region', 'city'],
      metrics: ['visits', 'visitors'],
      filters: [
        { dimension: 'country', op: 'in', values: ['RU', 'BY', 'KZ'] },
        { dimension: 'browser', op: 'neq', values: ['Chrome'] },
      ],
    }),
    rival: (d, site) => ({
      from: 'visits',
      where: `${visitsOf(d, site)} and country in ('RU', 'BY', 'KZ') and browser <> 'Chrome'`,
      dimensions: [{ key: 'country' }, { key: 'region' }, { key: 'city' }],
      sums: { visits: SUM.visits },
      distinct: VISITORS,
      metrics: ['visits', 'visitors'],
      limit: 100,
    }),
  },
  {
    name: 'audience',
    request: ask({ dimensions: ['gender', 'age_group'], metrics: ['people', 'visits'] }),
    rival: (d, site) => ({
      from: `(select visits.visitor_id as visitor_id, weight, gender, age_group from visits left join audience on audience.visitor_id = visits.visitor_id and audience.site_id = '${site}' where ${visitsOf(d, site)}) a`,
      where: '1 = 1',
      dimensions: [{ key: 'gender' }, { key: 'age_group' }],
      sums: { visits: SUM.visits },
      distinct: { people: { of: 'visitor_id' } },
      metrics: ['people', 'visits'],
      limit: 100,
    }),
  },
];
