/** Requests of reports: what no schema can say of them, and what they mean once there is nothing to say. */
export { conditionsFaults, segmentOf } from './conditions.ts';
export { todayIn } from './period.ts';
export { reportFaults, reportRequestOf, type ReportBody } from './request.ts';
