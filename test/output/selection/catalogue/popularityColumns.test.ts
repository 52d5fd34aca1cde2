import { describe, expect, it } from '@jest/globals';
import {
  dayWeights,
  MIN_TREND,
  PERIODS,
  sumsOf as sumsOfDays,
  totalAt,
  trendOf,
  type Period,
} from '../../../../domain/output/popularity.ts';
import { PopularityColumns } from '../../../../output/selection/catalogue/popularityColumns.ts';

const DAY_MS = 86_400_000;
/** 18:00 of day 20,000. */
const NOW = 20_000.75 * DAY_MS;

/** Returns the sums of counts by days ago. */
function sumsOf(counts: Readonly<Record<number, number>>, now = NOW): number[] {
  const days = Object.keys(counts).map((ago) => 20_000 - Number(ago));
  return sumsOfDays(days, Object.values(counts), now);
}

describe('the weight of a day', () => {
  it('is the part of it that lies within the period', () => {
    const within = (ago: number) => PERIODS.map((period) => dayWeights(20_000 - ago, NOW)[totalAt(period)]);
    expect(within(0)).toEqual([1, 1, 1, 1]);
    expect(within(1)).toEqual([0.25, 1, 1, 1]);
    expect(within(7)).toEqual([0, 0.25, 1, 1]);
    expect(within(365)).toEqual([0, 0, 0, 0.25]);
    expect(within(366)).toEqual([0, 0, 0, 0]);
    expect(within(-1)).toEqual([1, 1, 1, 1]);
  });
});

describe('the popularity of items', () => {
  it('is known by slot and period, with its share of the most popular', () => {
    const columns = new PopularityColumns();
    columns.set(700, sumsOf({ 0: 3, 20: 100 }));
    columns.set(3, sumsOf({ 2: 9 }));
    expect([columns.total(700), columns.total(700, '30d'), columns.total(3), columns.total(5)]).toEqual([3, 103, 9, 0]);
    const share = (slot: number, period: Period = '7d') => columns.shares(period, 2_000)[slot];
    expect([share(3), share(700, '30d'), share(5), share(1_999)]).toEqual([1, 1, 0, 0]);
    expect(columns.shares('7d', 4)).toHaveLength(4);
    columns.set(3, []);
    expect([columns.total(3), share(700)]).toEqual([0, 1]);
  });

  const every = (count: number) => Object.fromEntries(Array.from({ length: 366 }, (_, ago) => [ago, count]));

  it('rises if a larger share of their events is recent than is usual for the other items', () => {
    const columns = new PopularityColumns();
    for (let slot = 3; slot < 20; slot += 1) columns.set(slot, sumsOf(every(50)));
    columns.set(0, sumsOf(every(50)));
    columns.set(1, sumsOf({ ...every(5), 0: 20, 1: 20 }));
    columns.set(2, sumsOf({ 5: 40, 6: 40 }));
    expect(Math.abs(columns.trend(0))).toBeLessThan(1);
    expect(columns.trend(1)).toBeGreaterThan(4);
    expect(columns.trend(2)).toBeLessThan(0);
    expect(columns.trend(99)).toBe(0);
  });

  it('does not rise merely because the busy hour of the day has begun', () => {
    const columns = new PopularityColumns();
    const midnight = 20_000.003 * DAY_MS;
    for (let slot = 1; slot < 20; slot += 1) columns.set(slot, sumsOf(every(slot * 50), midnight));
    columns.set(0, sumsOf({ ...every(5), 0: 30 }, midnight));
    const trends = Array.from({ length: 20 }, (_, slot) => columns.trend(slot));
    expect(trends[0]).toBeGreaterThan(4);
    for (const trend of trends.slice(1)) expect(trend).toBeLessThan(MIN_TREND);
  });

  it('rises with recent events even if no other item has any', () => {
    const columns = new PopularityColumns();
    columns.set(0, sumsOf({ 0: 10 }));
    expect(columns.trend(0)).toBeGreaterThan(MIN_TREND);
    expect(trendOf(0, 0, { fast: 0, slow: 0 })).toBe(0);
  });
});
