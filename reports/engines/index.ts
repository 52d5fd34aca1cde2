export { createReportEngines, type ReportEngines, type RunReportOptions } from './engines.ts';
export { ReportFailedError, ReportPatternError, ReportsBusyError, ReportsUnavailableError, ReportTimeoutError, ReportTooLargeError } from './errors.ts';
export type { ReportSettings } from './settings.ts';
