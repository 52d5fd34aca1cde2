/** Reports of as many rows as a test wants: for what is made of them. What they say is the engines' affair (test/reports/). */
import type { Language, Report, ReportRequest, ReportSite } from '../../reports/request.ts';

export interface CountedReports {
  longestSeconds: number;
  /** Rows that every report has without its limit. */
  rows: number;
  sampled: boolean;
  /** What runs instead, once. */
  fault: Error | null;
  asked: ReportRequest[];
  run(request: ReportRequest, site: ReportSite, options: { language: Language; signal: AbortSignal }): Promise<Report>;
}

/** The label of row n (from 0) is `row n`, its metrics n, n + 0.5, …; the totals are −1, −2, … */
export function createCountedReports(rows: number): CountedReports {
  return {
    longestSeconds: 60,
    rows,
    sampled: false,
    fault: null,
    asked: [],
    async run(request, site) {
      this.asked.push(request);
      const { fault } = this;
      this.fault = null;
      if (fault) throw fault;
      const count = Math.max(0, Math.min(request.limit, this.rows - request.offset));
      const data = Array.from({ length: count }, (_, index) => rowOf(request, request.offset + index));
      return {
        data,
        totals: request.metrics.map((_, metric) => -1 - metric),
        sampled: this.sampled,
        timezone: site.timezone,
        rows: this.rows,
      };
    },
  };
}

function rowOf({ dimensions, metrics }: ReportRequest, n: number): Report['data'][number] {
  return { dimensions: dimensions.map(() => `row ${n}`), metrics: metrics.map((_, metric) => n + metric / 2) };
}
