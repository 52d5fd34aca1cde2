import { describe, expect, it } from '@jest/globals';
import {
  difference,
  ofClickHouse,
  ofPostgres,
  ofReport,
  type Figures,
} from '../../../../tools/bench/reports/answers.ts';

const FIGURES: Figures = {
  rows: [
    { dimensions: ['RU', null], metrics: [3, 0.5] },
    { dimensions: ['BY', 'x'], metrics: [1, 0.25] },
  ],
  totals: [4, 0.4375],
  count: 2,
};

describe("the benchmark's comparison of answers", () => {
  it('reads the answers of all engines into one form', () => {
    const report = ofReport({
      data: [
        { dimensions: [{ id: 'RU', name: 'Russia' }, null], metrics: [3, 0.5] },
        { dimensions: [{ id: 'BY', name: 'Belarus' }, 'x'], metrics: [1, 0.25] },
      ],
      totals: [4, 0.4375],
      sampled: false,
      timezone: 'UTC',
      rows: 2,
    });
    const clickhouse = ofClickHouse(
      {
        data: [
          ['RU', null, 3, '0.5'],
          ['BY', 'x', '1', 0.25],
        ],
        totals: ['', null, 4, 0.4375],
        rows_before_limit_at_least: 2,
      },
      2,
    );
    const postgres = ofPostgres(
      [
        [true, '2', null, null, '4', 0.4375],
        [false, null, 'RU', null, '3', 0.5],
        [false, null, 'BY', 'x', 1, '0.25'],
      ],
      2,
    );
    expect([report, clickhouse, postgres]).toEqual([FIGURES, FIGURES, FIGURES]);
  });

  it('reads an answer without dimensions, which is its total', () => {
    expect(ofClickHouse({ data: [[7, '3']] }, 0)).toEqual({
      rows: [{ dimensions: [], metrics: [7, 3] }],
      totals: [7, 3],
      count: 1,
    });
    expect(ofPostgres([['7', 3]], 0)).toEqual({
      rows: [{ dimensions: [], metrics: [7, 3] }],
      totals: [7, 3],
      count: 1,
    });
  });

  it('ignores a difference in the last digits of a ratio', () => {
    const other = structuredClone(FIGURES);
    other.totals[1] = 0.4375 * (1 + 1e-12);
    expect(difference(FIGURES, other)).toBeNull();
  });

  it.each<[string, (figures: Figures) => void, RegExp]>([
    ['a different total', (figures) => (figures.totals[0] = 5), /^totals/],
    ['a different number of rows', (figures) => (figures.count = 3), /^2 and 3 rows/],
    ['a missing row', (figures) => figures.rows.pop(), /^2 and 1 rows/],
    ['a different order of rows', (figures) => figures.rows.reverse(), /^row 0/],
    ['a different label', (figures) => figures.rows[1]?.dimensions.reverse(), /^row 1/],
    ['a different metric', (figures) => figures.rows[1]?.metrics.reverse(), /^row 1/],
    ['a total that is not a number', (figures) => (figures.totals[1] = Number.NaN), /^totals/],
  ])('reports %s', (_what, change, words) => {
    const other = structuredClone(FIGURES);
    change(other);
    expect(difference(FIGURES, other)).toMatch(words);
  });
});
