import { expect, it } from '@jest/globals';
import { figuresOf } from '../../../../tools/bench/reports/figures.ts';

const measured = (...ratios: number[]) =>
  ratios.map((ratio, index) => ({
    question: `q${index}`,
    times: { duckdb: 100 * ratio, clickhouse: 100, postgres: 700 * ratio },
  }));
const summary = (...ratios: number[]): unknown =>
  Object.fromEntries(
    figuresOf('some hits', measured(...ratios), true)
      .slice(-3)
      .map(({ name, value }) => [name.replace('some hits: ', ''), value]),
  );

it('the median of an even number of values lies between the two middle ones', () => {
  expect(summary(4, 1, 2, 30)).toEqual({
    'share of the questions that the product answers within 1 s': 0.75,
    "the product's time divided by that of ClickHouse's engine, median": 3,
    "PostgreSQL's time divided by the product's, median": 7,
  });
});

it('the median of an odd number of values is the middle one', () => {
  expect(summary(9, 1, 2)).toMatchObject({ "the product's time divided by that of ClickHouse's engine, median": 2 });
});
