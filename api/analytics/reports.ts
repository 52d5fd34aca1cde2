/** POST /reports. */
import { DEFAULT_SITE_LIMITS } from '../../domain/sites/siteLimits.ts';
import { element } from '../http/batchElements.ts';
import { readReport } from '../reports/reportBody.ts';
import { runReport } from '../reports/runForClient.ts';
import { REPORT_ANSWER_EXAMPLE, REPORT_EXAMPLE, reportRequest, reportResponse } from '../reports/reportSchemas.ts';
import { define } from './analyticsOperation.ts';

const { reports_simultaneous: simultaneous, reports_per_minute: perMinute } = DEFAULT_SITE_LIMITS;

export const postReports = define({
  method: 'post',
  path: '/reports',
  operationId: 'postReports',
  tag: 'reports',
  summary: 'Run a report',
  description: `Up to 5 dimensions, 10 metrics and 10,000 rows over at most 25 months. At most ${simultaneous} reports at a time and ${perMinute} in any 60 seconds for each key. A report that takes over 30 seconds is run on 10 percent of the visitors instead (sampled: true); if that takes as long, the answer is 503. The details of a 422 have the codes unknown_dimension, unknown_metric, unknown_segment, incompatible (the metric cannot be computed with the dimensions of the request, including those of its filters), too_many, bad_date, bad_filter. Filter values are codes.`,
  body: { schema: element(reportRequest('en')), example: REPORT_EXAMPLE },
  replies: { 200: { description: 'The report', schema: reportResponse, example: REPORT_ANSWER_EXAMPLE } },
  errors: [413, 422],
  async handle({ caller, body, disconnectSignal, responseClosed }, deps) {
    const { request, sentAs } = await readReport(deps, caller.settings, body, { now: new Date() });
    const slot = { key: `site-key/${caller.keyId}`, max: caller.limits.reports_simultaneous };
    const { rows: _rows, ...report } = await runReport(deps, request, caller.settings, {
      slot,
      language: 'en',
      sentAs,
      signal: disconnectSignal(),
      responseClosed,
    });
    return { status: 200, body: report };
  },
});
