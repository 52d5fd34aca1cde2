/**
 * A report of a sample shows the counts and sums of all visitors: those of the sample times ten. Weights of a site's
 * quota are a different matter (registry/entry/aggregates.ts).
 */
import { SAMPLE_ONE_IN } from '../../domain/reports/visitorSample.ts';
import { call, column, raw, sql, type Sql } from '../sql/index.ts';
import type { Compilation } from './context/compileContext.ts';

/**
 * Returns the columns of aggregates, scaled up if the report is of a sample. Sums are exact up to here; after this step
 * money and weights are DOUBLE.
 */
export function scaledUp({ context }: Compilation, columns: readonly string[]): Sql[] {
  const scale = raw(context.sampled ? ` * ${SAMPLE_ONE_IN}` : '');
  return columns.map((name) => sql`${call('double', sql`coalesce(${column(null, name)}, 0)`)}${scale} as ${raw(name)}`);
}

/** Returns the number that was counted in the sample itself, of a column that was scaled up. */
export function asCounted({ context }: Compilation, name: string): Sql {
  return sql`${column(null, name)}${raw(context.sampled ? ` / ${SAMPLE_ONE_IN}` : '')}`;
}
