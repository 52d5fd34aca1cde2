/** Report requests: rules that a schema cannot express, and the conversion of valid requests. */
export { conditionsFaults, segmentOf } from './conditions.ts';
export { periodFaults, todayIn } from './periodFaults.ts';
export { reportFaults, reportRequestOf, type ReportBody } from './validateRequest.ts';
