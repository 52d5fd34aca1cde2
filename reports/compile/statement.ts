/** The one statement of a report: rows of all parts brought together, metrics, order, page. */
import type { Use } from '../registry/index.ts';
import type { Build } from './build.ts';
import { asked, partsOf, type Asked, type Part } from './parts.ts';
import type { Plan, Used } from './plan.ts';
import { enoughPeople } from './leastPeople.ts';
import { reportSegment } from './reportSegment.ts';

/** A sample keeps one visitor of so many. */
const SAMPLE = 10;

export function statement(build: Build, plan: Plan): string {
  const { metrics, columns } = metricsSql(build, plan);
  const isEnough = enoughPeople(build, plan, columns);
  const hasFacts = columns.some(({ level, over }) => over === 'row' && level !== 'visit' && level !== 'hit');
  const parts = partsOf(build, plan, reportSegment(build, hasFacts), columns);
  const names = columns.map(({ column }) => column);
  build.cte('found', () => foundSql(build, plan, parts, names));
  build.cte(
    'shown',
    () =>
      `select ${[...keysOf(plan), ...metrics.map((sql, index) => `(${sql})::DOUBLE as m${index}`)].join(', ')} from found${isEnough === null ? '' : ` where ${isEnough}`}`,
  );
  build.cte('total', () => totalSql(build, parts, names));
  build.cte(
    'page',
    () =>
      `from shown order by ${orderBy(plan)} limit ${build.bind(plan.request.limit)}::BIGINT offset ${build.bind(plan.request.offset)}::BIGINT`,
  );
  const ctes = [...build.ctes].map(([name, text]) => `${name} ${text}`);
  return `with ${ctes.join(',\n')}\n${resultSql(plan, metrics, isEnough)}`;
}

/** Metrics as expressions over the columns that the aggregates get. */
function metricsSql(build: Build, plan: Plan): { metrics: string[]; columns: Asked[] } {
  const columns = new Map<string, Asked>();
  const metrics = plan.metrics.map(({ metric, param }) => {
    const use: Use = (aggregate) => {
      const known = columns.get(aggregate.name) ?? asked(plan, aggregate, `a${columns.size}`, param);
      columns.set(aggregate.name, known);
      return known.column;
    };
    return metric.sql(use, { param, days: build.period.days });
  });
  return { metrics, columns: [...columns.values()] };
}

const keysOf = ({ dimensions }: Plan): string[] => dimensions.map(({ index }) => `d${index}`);

/** A row of each combination that a part of the rows has; what a part does not have is 0. */
function foundSql(build: Build, plan: Plan, parts: readonly Part[], columns: readonly string[]): string {
  const keys = keysOf(plan);
  const own = parts.filter(({ over }) => over === 'row');
  const others = parts.filter(({ over }) => over !== 'row');
  const amounts = own.flatMap((part) => part.columns);
  const [only, ...more] = own;
  const united =
    only !== undefined && more.length === 0
      ? only.rows
      : `select ${[...keys, ...amounts.map((column) => `max(${column}) as ${column}`)].join(', ')} from (${own.map(({ rows }) => `(${rows})`).join(' union all by name ')})${keys.length === 0 ? ' having count(*) > 0' : ' group by all'}`;
  const joins = others.map(({ rows, dimensions }, index) => {
    const same = dimensions.map(({ index: key }) => `united.d${key} is not distinct from other${index}.d${key}`);
    return `left join (${rows}) as other${index} on ${same.length === 0 ? 'true' : same.join(' and ')}`;
  });
  return `select ${[...keys.map((key) => `united.${key}`), ...scaled(build, columns)].join(', ')} from (${united}) as united ${joins.join(' ')}`;
}

/** Money and weights as DOUBLE from here on: sums are exact before. */
function scaled({ context }: Build, columns: readonly string[]): string[] {
  return columns.map((column) => `coalesce(${column}, 0)::DOUBLE${context.sampled ? ` * ${SAMPLE}` : ''} as ${column}`);
}

function totalSql(build: Build, parts: readonly Part[], columns: readonly string[]): string {
  const from = parts.map(({ total }, index) => `(${total}) as total${index}`);
  const missing = parts.map((_, index) => `total${index}.missing_rate`);
  return `select ${[...scaled(build, columns), `${missing.join(' or ')} as missing_rate`].join(', ')} from ${from.join(', ')}`;
}

/** Unknown is last in either direction; ties go by the dimensions. */
function orderBy(plan: Plan): string {
  const asked = sortOf(plan);
  const ties = keysOf(plan)
    .filter((key) => !asked.some(({ column }) => column === key))
    .map((column) => ({ column, dir: 'asc' }));
  return [...asked, ...ties].map(({ column, dir }) => `${column} ${dir} nulls last`).join(', ');
}

function sortOf({ request, dimensions }: Plan): { column: string; dir: 'asc' | 'desc' }[] {
  const time = dimensions.find(({ dimension }) => dimension.isTime);
  if (request.sort.length === 0)
    return [time === undefined ? { column: 'm0', dir: 'desc' } : { column: `d${time.index}`, dir: 'asc' }];
  return request.sort.map(({ field, dir }) => {
    const dimension = request.dimensions.indexOf(field);
    return { column: dimension === -1 ? `m${request.metrics.indexOf(field)}` : `d${dimension}`, dir };
  });
}

/** The total, then the page in its order. Texts are made of the keys of what is shown, and of nothing else. */
function resultSql(plan: Plan, metrics: readonly string[], isEnough: string | null): string {
  const text = ({ dimension, index }: Used): string => dimension.text(`d${index}`);
  const found = `(select count(*) from shown)`;
  const values = metrics.map((_, index) => `m${index}`);
  const totals = metrics.map((sql) =>
    isEnough === null ? `(${sql})::DOUBLE` : `case when ${isEnough} then (${sql})::DOUBLE else 0 end`,
  );
  return `select is_total, d, m, ${found} as row_count, (select missing_rate from total) as missing_rate from (
    select true as is_total, 0 as place, []::VARCHAR[] as d, [${totals.join(', ')}] as m from total
    union all
    select false, row_number() over (order by ${orderBy(plan)}), [${plan.dimensions.map(text).join(', ')}]::VARCHAR[], [${values.join(', ')}] from page
  ) order by place`;
}
