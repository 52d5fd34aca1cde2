/** The evaluator itself, in cases that are easily checked by hand. */
import { describe, expect, it } from '@jest/globals';
import { DIMENSIONS as REGISTERED, METRICS as REGISTERED_METRICS } from '../../../reports/registry/index.ts';
import { passes } from './comparison.ts';
import { DIMENSIONS, jsonMember, pathLevel } from './dimensions.ts';
import { METRICS } from './metrics/metrics.ts';
import { converted, lineAmount, micro } from './metrics/money.ts';
import { dayOfWeek, isoWeek, wallClock } from './wallClock.ts';

it('the evaluator covers exactly what the registry contains', () => {
  expect(Object.keys(DIMENSIONS).toSorted()).toEqual(REGISTERED.map(({ id }) => id).toSorted());
  expect(Object.keys(METRICS).toSorted()).toEqual(REGISTERED_METRICS.map(({ id }) => id).toSorted());
  expect(
    Object.keys(METRICS)
      .filter((id) => METRICS[id]?.takesGoal)
      .toSorted(),
  ).toEqual(
    REGISTERED_METRICS.filter(({ takes }) => takes === 'goal')
      .map(({ id }) => id)
      .toSorted(),
  );
});

describe('days', () => {
  it.each([
    ['2026-01-01', '2026-W01', 4],
    ['2025-12-29', '2026-W01', 1],
    ['2027-01-03', '2026-W53', 7],
    ['2024-12-31', '2025-W01', 2],
    ['2023-01-01', '2022-W52', 7],
  ])('%s is in %s', (date, week, weekday) => {
    expect([isoWeek(date), dayOfWeek(date)]).toEqual([week, weekday]);
  });

  it('follow the clock of a zone, even if it moves forward at midnight', () => {
    expect(wallClock(Date.parse('2025-04-24T21:59:59Z'), 'Africa/Cairo')).toEqual({ date: '2025-04-24', hour: '23' });
    expect(wallClock(Date.parse('2025-04-24T22:00:00Z'), 'Africa/Cairo')).toEqual({ date: '2025-04-25', hour: '01' });
    expect(wallClock(Date.parse('2026-01-01T21:00:00Z'), 'Europe/Moscow')).toEqual({ date: '2026-01-02', hour: '00' });
  });
});

describe('texts', () => {
  it.each([
    ['/a/b/c/d', '/a/', '/a/b/', '/a/b/c/'],
    ['/a/b/c', '/a/', '/a/b/', '/a/b/c'],
    ['/a', '/a', '/a', '/a'],
    ['//x', '//', '//x', '//x'],
    ['', '', '', ''],
  ])('that are paths are cut after the second, third and fourth slash: %s', (path, ...levels) => {
    expect([1, 2, 3].map((level) => pathLevel(path, level))).toEqual(levels);
  });

  it('of params are unchanged; other values become JSON, and missing ones null', () => {
    const json = JSON.stringify({ text: 'a"b', number: 1.5, yes: true, nothing: null, list: [1], 'a.b': 'dot' });
    expect(
      ['text', 'number', 'yes', 'nothing', 'list', 'a.b', 'a', '__proto__'].map((key) => jsonMember(json, key)),
    ).toEqual(['a"b', '1.5', 'true', null, '[1]', 'dot', null, null]);
  });

  it('that are unknown match neq alone, and contains ignores case', () => {
    expect(
      (['eq', 'neq', 'contains', 'regex', 'in'] as const).map((op) =>
        passes(null, { dimension: 'city', op, values: ['.*'] }),
      ),
    ).toEqual([false, true, false, false, false]);
    expect(passes('ЧАЙ', { dimension: 'city', op: 'contains', values: ['чай'] })).toBe(true);
  });
});

describe('money', () => {
  const site = { currency: 'RUB', rates: { USD: 92.5, KZT: 0.000_005 } };

  it('is rounded to six places, halves up', () => {
    expect([
      converted(micro(10.01), 'USD', site),
      converted(micro(0.1), 'KZT', site),
      converted(micro(7), 'RUB', site),
      converted(micro(7), 'EUR', site),
    ]).toEqual([925_925_000n, 1n, 7_000_000n, undefined]);
    expect(lineAmount(99.99, 0.333, 'RUB', site)).toBe(33_296_670n);
  });
});
