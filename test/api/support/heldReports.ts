/** Reports that end when the test says so: for what is around them. What they say is the engines' affair (test/reports/). */
import type { Reports } from '../../../api/reports/runReport.ts';
import type { Language, Report, ReportRequest, ReportSite } from '../../../reports/request.ts';
import { eventually } from '../../support/eventually.ts';

export interface HeldReport {
  request: ReportRequest;
  site: ReportSite;
  language: Language;
  signal: AbortSignal;
  /** @param report what is not as usual */
  finish(report?: Partial<Report>): void;
  fail(error: Error): void;
}

export interface HeldReports extends Reports {
  /** All that were asked for, in order. */
  asked: HeldReport[];
  /** The report at a place, once it is asked for. */
  nth(index: number): Promise<HeldReport>;
  /** From now on they end at once. */
  release(): void;
}

const REPORT: Report = {
  data: [{ dimensions: ['direct'], metrics: [1] }],
  totals: [1],
  sampled: false,
  timezone: 'Europe/Moscow',
  rows: 1,
};

export function createHeldReports(): HeldReports {
  const asked: HeldReport[] = [];
  let isFree = false;
  return {
    longestSeconds: 60,
    asked,
    nth: (index) => eventually(() => asked[index], `the report at ${index}`),
    release() {
      isFree = true;
      for (const report of asked) report.finish();
    },
    run(request, site, { language, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<Report>();
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      asked.push({
        request,
        site,
        language,
        signal,
        finish: (report) => resolve({ ...REPORT, ...report }),
        fail: reject,
      });
      return isFree ? Promise.resolve(REPORT) : promise;
    },
  };
}
