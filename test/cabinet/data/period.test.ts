/** The period that a page of a site shows. */
import { describe, expect, it } from '@jest/globals';
import {
  comparedDays,
  daysOf,
  listDays,
  momentOfDay,
  periodOf,
  plusDays,
  todayIn,
} from '../../../cabinet/src/data/period.ts';

const TODAY = '2026-03-01';

describe('the period in an address', () => {
  it('keeps valid parts and ignores the rest', () => {
    expect(periodOf({ period: '7d', compare: 'year' })).toEqual({ period: '7d', compare: 'year' });
    expect(periodOf({ period: 'ever', compare: 1, from: '2026-02-30', to: '2026-03-01' })).toEqual({});
    expect(periodOf({ from: '2026-02-01', to: '2026-01-01' })).toEqual({});
    expect(periodOf({ from: '2026-02-01', to: '2026-02-28' })).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  });

  it.each([
    [{}, '2026-01-31', '2026-03-01'],
    [{ period: 'today' }, '2026-03-01', '2026-03-01'],
    [{ period: 'yesterday' }, '2026-02-28', '2026-02-28'],
    [{ period: '7d' }, '2026-02-23', '2026-03-01'],
    [{ period: '7d', from: '2025-12-30', to: '2026-01-02' }, '2025-12-30', '2026-01-02'],
  ] as const)('is a range of days: %j', (period, from, to) => {
    expect(daysOf(period, TODAY)).toEqual({ from, to });
  });
});

describe('the days of the comparison', () => {
  const days = { from: '2024-02-28', to: '2024-02-29' };
  it.each([
    [undefined, null],
    ['previous', { from: '2024-02-26', to: '2024-02-27' }],
    ['year', { from: '2023-02-28', to: '2023-02-28' }],
  ] as const)('for %s are %j', (compare, expected) => {
    expect(comparedDays(days, compare)).toEqual(expected);
  });
});

it('a period lists every day, across months and clock changes', () => {
  expect(listDays({ from: '2026-03-28', to: '2026-03-30' })).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
  expect(plusDays('2026-01-01', -1)).toBe('2025-12-31');
});

it("the current day is that of the site's time zone", () => {
  const moment = new Date('2026-11-20T22:30:00Z');
  expect(todayIn('Europe/Moscow', moment)).toBe('2026-11-21');
  expect(todayIn('America/New_York', moment)).toBe('2026-11-20');
});

it.each([
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ['2026-10-04', 'Australia/Sydney', '2026-10-03T14:00:00.000Z'],
  ['2026-04-05', 'Australia/Sydney', '2026-04-04T13:00:00.000Z'],
])('%s in %s begins with its first moment, even if the clock changes then', (day, timezone, first) => {
  expect(momentOfDay(day, timezone)).toBe(first);
});
