/** Turns the times of the suite into figures with their targets. */
import type { Figure } from '../support/report.ts';
import type { Times } from './measure.ts';

export interface Measured {
  question: string;
  times: Times;
}

const NAMES = { duckdb: 'the product', clickhouse: `ClickHouse's engine`, postgres: 'PostgreSQL' } as const;
const AIMS = { clickhouse: '<= 1', postgres: '>= 7', quick: '>= 0.9', growth: '<= 5' };
const QUICK_MS = 1_000;

/** @param size for example `10 million hits` */
export function figuresOf(size: string, measured: readonly Measured[], isAimedAt: boolean): Figure[] {
  const each = measured.flatMap(({ question, times }): Figure[] =>
    Object.entries(times).map(([engine, ms]): Figure => ({
      name: `${size}: ${question}, ${NAMES[engine as keyof typeof NAMES]}`,
      value: ms,
      unit: 'ms',
      aim: null,
    })),
  );
  const ours = measured.flatMap(({ times }) => times.duckdb ?? []);
  const summary: Figure[] = [
    {
      name: `${size}: share of the questions that the product answers within 1 s`,
      value: ours.filter((ms) => ms < QUICK_MS).length / ours.length,
      unit: '',
      aim: isAimedAt ? AIMS.quick : null,
    },
    ...ratio(
      `${size}: the product's time divided by that of ClickHouse's engine, median`,
      measured,
      ({ duckdb, clickhouse }) => [duckdb, clickhouse],
      AIMS.clickhouse,
    ),
    ...ratio(
      `${size}: PostgreSQL's time divided by the product's, median`,
      measured,
      ({ duckdb, postgres }) => [postgres, duckdb],
      AIMS.postgres,
    ),
  ];
  return [...each, ...summary];
}

function ratio(
  name: string,
  measured: readonly Measured[],
  of: (times: Times) => [number | undefined, number | undefined],
  aim: string,
): Figure[] {
  const ratios = measured.flatMap(({ times }) => {
    const [one, other] = of(times);
    return one === undefined || other === undefined ? [] : [one / other];
  });
  return ratios.length === 0 ? [] : [{ name, value: median(ratios), unit: '', aim }];
}

/** Returns what five times as many hits cost. */
export function growth(small: readonly Measured[], large: readonly Measured[]): Figure[] {
  const factors = small.flatMap(({ question, times }) => {
    const grown = large.find((other) => other.question === question)?.times.duckdb;
    return times.duckdb === undefined || grown === undefined ? [] : [{ question, factor: grown / times.duckdb }];
  });
  if (factors.length === 0) return [];
  return [
    ...factors.map(({ question, factor }): Figure => ({
      name: `50 million hits divided by 10 million: ${question}`,
      value: factor,
      unit: '',
      aim: AIMS.growth,
    })),
    {
      name: '50 million hits divided by 10 million: median',
      value: median(factors.map(({ factor }) => factor)),
      unit: '',
      aim: AIMS.growth,
    },
  ];
}

/** Returns the median; for an even number of values, the mean of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

export function printTimes(size: string, measured: readonly Measured[]): void {
  const round = (value: number | undefined): number | string =>
    value === undefined || Number.isNaN(value) ? '' : Number(value.toPrecision(3));
  console.log(`\n${size}, milliseconds`);
  console.table(
    measured.map(({ question, times: { duckdb, clickhouse, postgres } }) => ({
      question,
      product: round(duckdb),
      clickhouse: round(clickhouse),
      postgres: round(postgres),
      'divided by ClickHouse': round((duckdb ?? Number.NaN) / (clickhouse ?? Number.NaN)),
      'PostgreSQL divided by it': round((postgres ?? Number.NaN) / (duckdb ?? Number.NaN)),
    })),
  );
}
