/** POST /sites/{id}/reports/batch: all reports of a page in one request, in one of the caller's report slots. */
import Type from 'typebox';
import { loadSiteSettings } from '../../../db/sites/siteSettings.ts';
import type { SiteSettings } from '../../../domain/sites/siteSettings.ts';
import type { Report } from '../../../reports/reportRequest.ts';
import { nullable, strictObject } from '../../../domain/schemas/schema.ts';
import { batchError, BatchError, element } from '../../http/batchElements.ts';
import { notFound } from '../../http/errors.ts';
import { languageOf } from '../../http/preferredLanguage.ts';
import { RUSSIAN_CABINET } from '../../http/errorMessages.ts';
import { readReport, type ReadReportDeps } from '../../reports/reportBody.ts';
import { takeSlot, type ReportSlot, type RunOptions } from '../../reports/runForClient.ts';
import {
  cabinetReportResponse,
  REPORT_ANSWER_EXAMPLE,
  REPORT_EXAMPLE,
  reportRequest,
} from '../../reports/reportSchemas.ts';
import { STREAM_SILENCE_MS, streamReports, type Outcome } from '../../reports/streamReports.ts';
import { define, SitePath } from '../cabinetOperation.ts';
import { reportSlotOf } from './simultaneousReports.ts';

/** Maximum number of reports; an overview needs eight. */
const MAX_REPORTS = 12;

const Line = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Номер запроса в reports, с нуля' }),
    report: nullable(cabinetReportResponse),
    error: nullable(
      Type.Object(
        {
          status: Type.Integer({ description: 'Каким кодом ответил бы POST /sites/{id}/reports' }),
          retry_after: nullable(Type.Integer({ description: 'Через сколько секунд повторить, если это поможет' })),
          ...BatchError.properties,
        },
        { title: 'ReportBatchError' },
      ),
    ),
  },
  { title: 'ReportBatchLine' },
);

export const postSiteReportBatch = define({
  method: 'post',
  path: '/sites/{id}/reports/batch',
  operationId: 'postReportBatch',
  tag: 'reports',
  summary: 'Построить несколько отчётов',
  description: `До ${MAX_REPORTS} запросов, каждый — как у POST /sites/{id}/reports. Ответ — NDJSON: по строке на запрос в их порядке, каждая приходит, как только отчёт готов. Ошибка запроса стоит на его месте, остальные строятся. Весь пакет занимает одно из двух мест пользователя: отчёты строятся по одному. Если ответ перестали читать, пакет прекращается.`,
  // Viewers are allowed, since it only reads.
  access: 'viewer',
  params: SitePath,
  body: {
    schema: strictObject({ reports: Type.Array(element(reportRequest('ru')), { minItems: 1, maxItems: MAX_REPORTS }) }),
    example: {
      reports: [REPORT_EXAMPLE, { metrics: ['visits', 'visitors'], date_from: '2026-06-01', date_to: '2026-06-30' }],
    },
  },
  replies: {
    200: {
      description: 'Строки отчётов',
      contentType: 'application/x-ndjson',
      schema: Line,
      example: { index: 0, report: { ...REPORT_ANSWER_EXAMPLE, rows: 2 }, error: null },
    },
  },
  errors: [404, 413, 422],
  async handle({ caller, params, body, headers: requestHeaders, disconnectSignal, requestId }, deps) {
    const site = (await loadSiteSettings(deps.pool, [params.id])).get(params.id);
    if (!site) throw notFound();
    const slot = await takeSlot(deps, reportSlotOf(caller), (2 * STREAM_SILENCE_MS) / 1000);
    const options = { language: languageOf(requestHeaders), signal: disconnectSignal() };
    const stream = streamReports({
      slot,
      runs: body.reports.map((report) => () => runOne(deps, slot, site, report, options)),
      toHttpError: (error) => deps.toHttpError(error, requestId),
      write: lineOf,
    });
    const headers = {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      // Otherwise a proxy would buffer the first reports until the last one is finished.
      'X-Accel-Buffering': 'no',
    };
    return { status: 200, body: stream, headers };
  },
});

async function runOne(
  deps: ReadReportDeps,
  slot: ReportSlot,
  site: SiteSettings,
  body: unknown,
  how: Omit<RunOptions, 'sentAs'>,
): Promise<Report> {
  const { request, sentAs } = await readReport(deps, site, body, { now: new Date() });
  return slot.run(request, site, { ...how, sentAs });
}

function lineOf(outcome: Outcome): string {
  const { index } = outcome;
  if ('report' in outcome) return `${JSON.stringify({ index, report: outcome.report, error: null })}\n`;
  const { fault } = outcome;
  const error = { status: fault.status, retry_after: fault.retryAfter, ...batchError(fault, RUSSIAN_CABINET) };
  return `${JSON.stringify({ index, report: null, error })}\n`;
}
