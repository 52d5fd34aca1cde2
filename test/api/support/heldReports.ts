/**
 * Reports that end when the test says so, for tests of the code around them. The content of reports is tested in
 * test/reports/.
 */
import type { Reports } from '../../../api/reports/runForClient.ts';
import type { Answers, QuestionKind } from '../../../reports/mapAndVisitQuestions.ts';
import type { Language } from '../../../domain/language.ts';
import type { Report, ReportRequest, ReportSite } from '../../../reports/reportRequest.ts';
import { eventually } from '../../support/eventually.ts';
import { SCROLL_DEPTHS } from '../../../reports/pageMapLimits.ts';

export interface HeldReport {
  request: ReportRequest;
  site: ReportSite;
  language: Language;
  signal: AbortSignal;
  /** @param report fields that override the defaults */
  finish(report?: Partial<Report>): void;
  fail(error: Error): void;
}

export interface HeldReports extends Reports {
  /** All requested reports, in order. */
  asked: HeldReport[];
  /** The immediate answers to other questions, and the questions received. */
  answers: Answers;
  questions: { kind: QuestionKind; request: object; site: ReportSite }[];
  /** Resolves with the report at an index once it is requested. */
  nth(index: number): Promise<HeldReport>;
  /** Lets reports end at once from now on. */
  release(): void;
  /** Holds reports again, as at the start. */
  hold(): void;
}

const REPORT: Report = {
  data: [{ dimensions: ['direct'], metrics: [1] }],
  totals: [1],
  sampled: false,
  timezone: 'Europe/Moscow',
  rows: 1,
};

/** The initial answers to other questions. */
const ANSWERS: Answers = {
  report: REPORT,
  clicks: { views: 2, clicks: 1, elements: [{ selector: '#buy', clicks: 1, cells: [] }], sampled: false },
  scrolls: { views: 2, reached: SCROLL_DEPTHS.map(() => 2), averageDepth: 100, sampled: false },
  visits: { visits: [], sampled: false },
};

export function createHeldReports(): HeldReports {
  const asked: HeldReport[] = [];
  const questions: HeldReports['questions'] = [];
  const answers = { ...ANSWERS };
  let isReleased = false;
  return {
    longestSeconds: 60,
    asked,
    questions,
    answers,
    nth: (index) => eventually(() => asked[index], `the report at ${index}`),
    release() {
      isReleased = true;
      for (const report of asked) report.finish();
    },
    hold() {
      isReleased = false;
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
      return isReleased ? Promise.resolve(REPORT) : promise;
    },
    async ask(kind, request, site) {
      questions.push({ kind, request, site });
      return answers[kind];
    },
  };
}
