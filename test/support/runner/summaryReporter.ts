/** Writes the run's counts to the file that tools/scripts/test.ts names, for the summary line that CI reads. */
import { writeFileSync } from 'node:fs';

/** The fields of Jest's aggregated result that are used here. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that did not run at all, for example because of a syntax error. */
  numRuntimeErrorTestSuites: number;
}

export interface Summary {
  passed: number;
  failed: number;
  skipped: number;
}

export const SUMMARY_VARIABLE = 'ATTUNE_TEST_SUMMARY';

export default class SummaryReporter {
  onRunComplete(_contexts: unknown, results: Results): void {
    const path = process.env[SUMMARY_VARIABLE];
    if (path === undefined) return;
    const summary: Summary = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(path, JSON.stringify(summary));
  }
}
