/**
 * Fake reports with as many rows as a test wants, for tests of code that consumes reports. The content of real
 * reports is tested in test/reports/.
 */
import type { Answers, QuestionKind } from '../../../reports/mapAndVisitQuestions.ts';
import type { Language } from '../../../domain/language.ts';
import type { Report, ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';

export interface CountedReports {
  longestSeconds: number;
  /** Number of rows of every report before its limit is applied. */
  rows: number;
  sampled: boolean;
  /** Error that the next run throws instead of returning rows; it applies once. */
  fault: Error | null;
  asked: ReportRequest[];
  run(request: ReportRequest, site: ReportSite, options: { language: Language; signal: AbortSignal }): Promise<Report>;
  /** This fake does not answer questions. */
  ask<K extends QuestionKind>(kind: K): Promise<Answers[K]>;
}

/**
 * Creates reports in which the label of row n (from 0) is `row n`, its metrics are n, n + 0.5, …, and the totals
 * are −1, −2, …
 */
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
    ask: (kind) => Promise.reject(new Error(`nothing but reports: ${kind}`)),
  };
}

function rowOf({ dimensions, metrics }: ReportRequest, n: number): Report['data'][number] {
  return { dimensions: dimensions.map(() => `row ${n}`), metrics: metrics.map((_, metric) => n + metric / 2) };
}
