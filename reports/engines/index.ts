export { createReportEngines, type ReportEngines, type RunReportOptions } from './engines.ts';
export {
  ReportEngineDiedError,
  ReportFailedError,
  ReportPatternError,
  ReportsBusyError,
  ReportsUnavailableError,
  ReportTimeoutError,
  ReportTooLargeError,
} from './errors.ts';
export type { ReportSettings } from './engineSettings.ts';
