/** The statement of a report: it combines the rows of all scans, computes the metrics, sorts, and takes one page. */
import { aggregatesOf } from '../registry/index.ts';
import { call, column, fill, groupByFirst, join, raw, relation, sql, where, type Sql } from '../sql/index.ts';
import { resolveAggregate, type ResolvedAggregate } from './request/rowsOfAggregates.ts';
import type { Compilation } from './context/compileContext.ts';
import { peopleThresholdOf } from './peopleThreshold.ts';
import { orderBy } from './orderBy.ts';
import { scansSql, type ScanSql } from './scans/aggregatesPerScan.ts';
import { scaledUp } from './scaleSample.ts';
import type { ResolvedRequest, ResolvedDimension } from './request/resolvedRequest.ts';
import { reportSegment } from './conditions/reportSegment.ts';

/** Returns the body of the statement; `render` puts the relations that it names before it. */
export function statement(compilation: Compilation, resolved: ResolvedRequest): Sql {
  const ofMetrics = columnsOf(resolved);
  const metrics = metricsSql(compilation, resolved, ofMetrics);
  const { peopleCounts, hasEnoughPeople } = peopleThresholdOf(compilation, resolved, ofMetrics);
  const columns = [...ofMetrics, ...peopleCounts];
  const hasFacts = columns.some(
    ({ level, population }) => population === 'row' && level !== 'visit' && level !== 'hit',
  );
  const scans = scansSql(compilation, resolved, reportSegment(compilation, hasFacts), columns);
  const names = columns.map((one) => one.column);
  const found = relation('found', foundSql(compilation, resolved, scans, names));
  const values = metrics.map((value, index) => sql`${double(value)} as ${raw(`m${index}`)}`);
  const shown = relation(
    'shown',
    sql`select ${join([...keysOf(resolved), ...values])} from ${found}${where(hasEnoughPeople === null ? [] : [hasEnoughPeople])}`,
  );
  return resultSql(resolved, {
    metrics,
    hasEnoughPeople,
    shown,
    total: relation('total', totalSql(compilation, scans, names)),
  });
}

/** Returns the distinct aggregates of all metrics, with their columns. */
function columnsOf(resolved: ResolvedRequest): ResolvedAggregate[] {
  const aggregates = resolved.metrics.flatMap(({ metric, param }) => aggregatesOf(metric, param));
  const byName = new Map(aggregates.map((aggregate) => [aggregate.name, aggregate]));
  return [...byName.values()].map((aggregate, index) => resolveAggregate(resolved, aggregate, `a${index}`));
}

/** Returns the metrics as expressions over those columns. */
function metricsSql(
  { period }: Compilation,
  { metrics }: ResolvedRequest,
  columns: readonly ResolvedAggregate[],
): Sql[] {
  const byName = new Map(columns.map((one) => [one.aggregate.name, column(null, one.column)]));
  return metrics.map(({ metric, param }) =>
    fill(metric.value(param), (term): Sql => {
      const found = term.name === 'days' ? raw(String(period.days)) : byName.get(term.aggregate.name);
      if (found === undefined) throw new Error(`the metric ${metric.id} uses an aggregate that has no column`);
      return found;
    }),
  );
}

const long = (number: number): Sql => call('longInteger', sql`${number}`);

const double = (value: Sql): Sql => call('double', sql`(${value})`);

const keysOf = ({ dimensions }: ResolvedRequest): Sql[] => dimensions.map(({ index }) => column(null, `d${index}`));

/**
 * Returns one row for each combination of keys that any scan of the row has; an aggregate that a scan lacks there is
 * 0.
 */
function foundSql(
  compilation: Compilation,
  resolved: ResolvedRequest,
  scans: readonly ScanSql[],
  columns: readonly string[],
): Sql {
  const keys = resolved.dimensions.map(({ index }) => `d${index}`);
  const united = unitedSql(
    scans.filter(({ population }) => population === 'row'),
    keys,
  );
  const others = scans.filter(({ population }) => population !== 'row');
  const joins = others.map(({ rows, dimensions }, index) => {
    const other = `other${index}`;
    const same = dimensions.map(
      ({ index: key }) => sql`${column('united', `d${key}`)} is not distinct from ${column(other, `d${key}`)}`,
    );
    return sql`left join (${rows}) as ${raw(other)} on ${same.length === 0 ? sql`true` : join(same, ' and ')}`;
  });
  const selected = [...keys.map((key) => column('united', key)), ...scaledUp(compilation, columns)];
  return sql`select ${join(selected)} from (${united}) as united ${join(joins, ' ')}`;
}

/** Unites the scans of the row itself. */
function unitedSql(scans: readonly ScanSql[], keys: readonly string[]): Sql {
  const [only, ...more] = scans;
  if (only !== undefined && more.length === 0) return only.rows;
  const names = scans.flatMap(({ columns }) => columns);
  const rows = scans.map(({ rows: ofScan, columns }) => {
    const amounts = names.map((name) => raw(columns.includes(name) ? name : `null as ${name}`));
    return sql`select ${join([...keys.map(raw), ...amounts])} from (${ofScan}) as scan`;
  });
  const amounts = names.map((name) => raw(`max(${name}) as ${name}`));
  const end = keys.length === 0 ? raw(' having count(*) > 0') : groupByFirst(keys.length);
  return sql`select ${join([...keys.map(raw), ...amounts])} from (${join(rows, ' union all ')}) as scans${end}`;
}

function totalSql(compilation: Compilation, scans: readonly ScanSql[], columns: readonly string[]): Sql {
  const from = scans.map(({ total }, index) => sql`(${total}) as ${raw(`total${index}`)}`);
  const missing = scans.map((_, index) => column(`total${index}`, 'missing_rate'));
  return sql`select ${join([...scaledUp(compilation, columns), sql`${join(missing, ' or ')} as missing_rate`])} from ${join(from)}`;
}

interface Result {
  metrics: readonly Sql[];
  hasEnoughPeople: Sql | null;
  shown: Sql;
  total: Sql;
}

/** Returns the totals, then the page in its order. Only the keys on the page are turned into text. */
function resultSql(resolved: ResolvedRequest, { metrics, hasEnoughPeople, shown, total }: Result): Sql {
  const { limit, offset } = resolved.request;
  const order = orderBy(resolved);
  const page = relation(
    'page',
    sql`select * from ${shown} order by ${order} limit ${long(limit)} offset ${long(offset)}`,
  );
  const texts = resolved.dimensions.map(({ dimension, index }: ResolvedDimension) =>
    dimension.text(column(null, `d${index}`)),
  );
  const values = metrics.map((_, index) => column(null, `m${index}`));
  const totals = metrics.map((value) =>
    hasEnoughPeople === null ? double(value) : sql`case when ${hasEnoughPeople} then ${double(value)} else 0 end`,
  );
  return sql`select is_total, d, m, (select count(*) from ${shown}) as row_count, (select missing_rate from ${total}) as missing_rate from (
    select true as is_total, 0 as ordinal, ${call('texts')} as d, ${call('array', ...totals)} as m from ${total}
    union all
    select false, row_number() over (order by ${order}), ${call('texts', ...texts)}, ${call('array', ...values)} from ${page}
  ) as result order by ordinal`;
}
