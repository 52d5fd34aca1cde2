import { describe, expect, it } from '@jest/globals';
import { peopleNeeds, sampleOf } from '../../../../reports/compile/request/peopleNeeds.ts';
import type { ReportRequest } from '../../../../reports/reportRequest.ts';

const REQUEST: ReportRequest = {
  dimensions: [],
  metrics: ['visits'],
  date_from: '2026-03-01',
  date_to: '2026-03-02',
  filters: [],
  segment: null,
  attribution: 'last',
  robots: 'exclude',
  sort: [],
  limit: 10,
  offset: 0,
};
const needsOf = (given: Partial<ReportRequest>, sampled = false) => peopleNeeds({ ...REQUEST, ...given }, sampled);

describe('a report needs', () => {
  it('nothing about people if it has no field about persons', () => {
    const metrics = ['visits', 'visitors', 'users', 'conversion_rate', 'converted_visitors', 'revenue_per_visitor'];
    expect(needsOf({ metrics, dimensions: ['date', 'visit_param:plan', 'goal'] })).toEqual({
      links: false,
      attributes: [],
      params: [],
    });
  });

  it.each(['people', 'buyers'])('the linked users, for %s', (metric) => {
    expect(needsOf({ metrics: ['visits', metric] })).toEqual({ links: true, attributes: [], params: [] });
  });

  it('the linked users, for a sample of users only', () => {
    expect([
      needsOf({ metrics: ['users'] }).links,
      needsOf({ metrics: ['users'] }, true).links,
      needsOf({ metrics: ['visitors', 'converted_visitors'] }, true).links,
    ]).toEqual([false, true, false]);
  });

  it('attributes and params of dimensions, filters and conditions at any depth, each once', () => {
    expect(
      needsOf({
        dimensions: ['gender', 'visitor_param:a:b', 'value_source:visitor_param:plan'],
        filters: [
          { dimension: 'gender', op: 'eq', values: ['male'] },
          { dimension: 'value_source:industry', op: 'eq', values: ['site'] },
        ],
        segment: {
          scope: 'visit',
          condition: {
            not: {
              any: [
                { all: [{ dimension: 'interest', op: 'eq', values: ['music'] }] },
                { metric: 'pageviews', op: 'gt', value: 1 },
                { dimension: 'visitor_param:plan', op: 'eq', values: ['x'] },
              ],
            },
          },
        },
      }),
    ).toEqual({ links: true, attributes: ['gender', 'industry', 'interest'], params: ['a:b', 'plan'] });
  });
});

it.each([
  [{}, 'visitors'],
  [{ metrics: ['visitors', 'orders', 'converted_visitors'], dimensions: ['goal'] }, 'visitors'],
  [{ metrics: ['users'] }, 'persons'],
  [{ metrics: ['visits', 'buyers'] }, 'persons'],
  [{ dimensions: ['gender'] }, 'persons'],
  [{ segment: { scope: 'visit', condition: { dimension: 'interest', op: 'eq', values: ['music'] } } }, 'persons'],
] as const)('a sample for %j consists of %s', (given, expected) => {
  const request = { ...REQUEST, ...given } as ReportRequest;
  expect([sampleOf(request, true), sampleOf(request, false)]).toEqual([expected, null]);
});
