/** The SQL of the scans. Each scan computes its aggregates for every row of the report and for the totals. */
import { expressionsOf } from '../../registry/index.ts';
import { isSame, relation, type Sql } from '../../sql/index.ts';
import { entityOf, isDistinct, type ResolvedAggregate } from '../request/rowsOfAggregates.ts';
import type { Compilation } from '../context/compileContext.ts';
import { hitNeedsOf } from '../rows/periodHits.ts';
import { joinedRows, type RowsQuery } from './joinedRows.ts';
import { dimensionsOver, type Population } from '../request/populations.ts';
import { scansOf, type Scan } from './groupIntoScans.ts';
import type { ResolvedRequest, ResolvedDimension } from '../request/resolvedRequest.ts';
import type { ReportSegment } from '../conditions/reportSegment.ts';
import { rowsSql, stageSql, totalSql, type Stage } from './twoStepScan.ts';

export interface ScanSql {
  population: Population;
  /** The dimensions that it is grouped by. */
  dimensions: readonly ResolvedDimension[];
  /** The columns of its aggregates. */
  columns: readonly string[];
  /** A select with the columns `d<index>` and those of the aggregates: one row for each combination of keys. */
  rows: Sql;
  /** A select of one row: the aggregates over all rows, and `missing_rate`. */
  total: Sql;
}

export function scansSql(
  compilation: Compilation,
  resolved: ResolvedRequest,
  segment: ReportSegment | null,
  all: readonly ResolvedAggregate[],
): ScanSql[] {
  const hits = hitNeedsOf(all.flatMap(({ aggregate }) => expressionsOf(aggregate)));
  return scansOf(compilation, resolved, all).map((scan, number) => {
    const dimensions = dimensionsOver(scan.resolved, scan.population);
    const stage = (name: string, of: readonly ResolvedDimension[]): Stage =>
      stageOf(compilation, segment, scan, name, {
        ...scan,
        dimensions: of,
        aggregates: scan.aggregates.map(({ aggregate }) => aggregate),
        hits,
      });
    const byKeys = stage(`part${number}`, dimensions);
    // An entity in several rows of the report counts once in the totals.
    const whole = byKeys.hasFanOut && dimensions.length > 0 ? stage(`whole${number}`, []) : byKeys;
    return {
      population: scan.population,
      dimensions,
      columns: scan.aggregates.map(({ column }) => column),
      rows: rowsSql(byKeys, dimensions, scan.aggregates),
      total: totalSql(whole, scan.aggregates),
    };
  });
}

function stageOf(
  compilation: Compilation,
  segment: ReportSegment | null,
  { resolved, aggregates }: Scan,
  name: string,
  query: RowsQuery,
): Stage {
  const rows = joinedRows(compilation, resolved, segment, query);
  const keys = query.dimensions.map((used) => ({ value: rows.key(used), column: `d${used.index}` }));
  const counted = aggregates.find(isDistinct);
  // A key that also identifies entities is one column, not two.
  const entities = (counted === undefined ? [] : entityOf(counted)).map((expression, index) => {
    const value = rows.fill(expression);
    return keys.find((key) => isSame(key.value, value)) ?? { value, column: `e${index}` };
  });
  return {
    rows: relation(name, stageSql(rows, keys, entities, aggregates)),
    entities: entities.map(({ column }) => column),
    isByEntity: keys.every((key) => entities.includes(key)),
    hasFanOut: rows.hasFanOut,
  };
}
