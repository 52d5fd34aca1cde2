/**
 * A report as SQL of a rival: rows, totals and the number of rows, as an expert in that engine would write it.
 * ClickHouse computes all three in one pass (WITH TOTALS). For PostgreSQL, additive totals come from the rows, and
 * distinct people in the total from a statement of their own.
 */
import type { Dialect } from './dialect.ts';

export interface Rival {
  /** Tables and joins after FROM. */
  from: string;
  where: string;
  dimensions: readonly { key: string; text?: (key: string) => string }[];
  /** Additive values, whose names are used in `metrics`. */
  sums: Readonly<Record<string, string>>;
  /** Distinct values: a column, and the condition on its rows. */
  distinct?: Readonly<Record<string, { of: string; where?: string }>>;
  /** Expressions over the names of `sums` and `distinct`. */
  metrics: readonly string[];
  /** Expression after ORDER BY, over d0 … and m0 …; by default the first metric, descending. */
  order?: string;
  limit: number;
}

export function statementOf(dialect: Dialect, rival: Rival): string {
  const aggregates = [
    ...Object.entries(rival.sums).map(([name, sql]) => `${sql} as ${name}`),
    ...distinctOf(dialect, rival),
  ];
  const metrics = rival.metrics.map((sql, n) => `${sql} as m${n}`).join(', ');
  const one = `select ${metrics} from (select ${aggregates.join(', ')} from ${rival.from} where ${rival.where}) s`;
  if (rival.dimensions.length === 0) return one;
  return dialect.name === 'clickhouse'
    ? clickhouse(rival, aggregates, metrics)
    : postgres(dialect, rival, aggregates, metrics);
}

const orderOf = ({ order, dimensions }: Rival): string =>
  [order ?? 'm0 desc', ...dimensions.map((_, n) => `d${n} asc nulls last`)].join(', ');

function distinctOf(dialect: Dialect, { distinct = {} }: Rival): string[] {
  return Object.entries(distinct).map(
    ([name, { of, where }]) =>
      `${where === undefined ? dialect.distinct(of) : dialect.distinctIf(of, where)} as ${name}`,
  );
}

function clickhouse(rival: Rival, aggregates: readonly string[], metrics: string): string {
  const texts = rival.dimensions.map(({ key, text }, n) => `${text ? text(key) : key} as d${n}`);
  return `with ${aggregates.join(', ')} select ${texts.join(', ')}, ${metrics} from ${rival.from} where ${rival.where}
    group by ${rival.dimensions.map(({ key }) => key).join(', ')} with totals order by ${orderOf(rival)} limit ${rival.limit}`;
}

function postgres(dialect: Dialect, rival: Rival, aggregates: readonly string[], metrics: string): string {
  const keys = rival.dimensions.map((_, n) => `k${n}`);
  const texts = rival.dimensions.map(({ text }, n) => `${text ? text(`k${n}`) : `k${n}`} as d${n}`);
  const added = [...Object.keys(rival.sums).map((name) => `sum(${name}) as ${name}`), 'count(*) as row_count'].join(
    ', ',
  );
  const distinct = distinctOf(dialect, rival);
  const people =
    distinct.length === 0
      ? ''
      : ` cross join (select ${distinct.join(', ')} from ${rival.from} where ${rival.where}) p`;
  return `with g as (select ${[...rival.dimensions.map(({ key }, n) => `${key} as k${n}`), ...aggregates].join(', ')} from ${rival.from} where ${rival.where} group by ${keys.join(', ')}),
    total as (select true as is_total, row_count, ${keys.map((_, n) => `null::text as d${n}`).join(', ')}, ${metrics} from (select ${added} from g) s${people}),
    page as (select false, null::bigint, ${texts.join(', ')}, ${metrics} from g order by ${orderOf(rival)} limit ${rival.limit})
    select * from total union all (select * from page)`;
}
