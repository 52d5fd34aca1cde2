/** Tracks identifiers that were compared with a meaningful value: a known label, a number other than 0. */
import type { ReportRequest } from '../../../reports/reportRequest.ts';
import type { OracleReport } from './evaluate.ts';

export class Seen {
  readonly dimensions = new Set<string>();
  readonly metrics = new Set<string>();
  /** A metric with a dimension, a filter or none, in a row with a meaningful value. */
  readonly combinations = new Set<string>();
  requests = 0;

  note({ dimensions, metrics, filters, segment }: ReportRequest, { rows, totals }: OracleReport): void {
    this.requests += 1;
    const looked = [
      ...dimensions,
      ...filters.map(({ dimension, op }) => `${nameOf(dimension)} ${op}`),
      ...(segment ? [segment.scope] : []),
    ].map(nameOf);
    for (const [index, id] of metrics.entries())
      if (totals[index] !== 0) for (const other of ['', ...looked]) this.combinations.add(`${nameOf(id)} ${other}`);
    for (const [index, id] of dimensions.entries())
      if (rows.some(({ labels }) => labels[index] !== null)) this.dimensions.add(nameOf(id));
    for (const [index, id] of metrics.entries()) if (totals[index] !== 0) this.metrics.add(nameOf(id));
  }
}

const nameOf = (id: string): string => id.split(':', 1)[0] ?? id;
