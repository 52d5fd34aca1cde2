/** Exports of reports: POST and GET /sites/{id}/exports, GET /sites/{id}/exports/{export}. */
import { findExport, listExports } from '../../../db/reports/exports.ts';
import { loadSiteSettings } from '../../../db/sites/siteSettings.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { LANGUAGES } from '../../../domain/language.ts';
import { EXPORT_FILES, EXPORT_ROWS_AT_ONCE, EXPORTS_QUEUED } from '../../../domain/reports/exports.ts';
import { makeOrQueueExport } from '../../../reports/exports/index.ts';
import { REPORT_LIMITS } from '../../../reports/validate/reportLimits.ts';
import { reportSiteOf } from '../../../reports/reportSite.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { forbidden, notFound, rateLimited, validationFailed } from '../../http/errors.ts';
import { languageOf } from '../../http/preferredLanguage.ts';
import { ID_FORMS, pageById, pageQuery, type PageById } from '../../http/paging.ts';
import { readReport, refusalWithoutSite } from '../../reports/reportBody.ts';
import { runReport } from '../../reports/runForClient.ts';
import { define, pageOf, SITE_ID, SitePath, UUID } from '../cabinetOperation.ts';
import {
  Export,
  EXPORT_EXAMPLE,
  EXPORT_REQUEST_EXAMPLE,
  ExportRequest,
  limitFaults,
  DONE_EXAMPLE,
  toOutput,
} from './exportFields.ts';
import { reportSlotOf } from './simultaneousReports.ts';

export const createExport = define({
  method: 'post',
  path: '/sites/{id}/exports',
  operationId: 'createExport',
  tag: 'exports',
  summary: 'Выгрузить отчёт файлом',
  description:
    `Отчёт, как у POST /sites/{id}/reports, но до ${REPORT_LIMITS.exportRows} строк (столько же и без limit), в CSV или XLSX, на языке из Accept-Language (${LANGUAGES.join(', ')}; без него — на русском). До ${EXPORT_ROWS_AT_ONCE} строк файл готов сразу: 201, state done и url; ` +
    'в это время занято одно из мест отчётов пользователя. Больше — 202: файл строится в очереди сайта, по одному; ход виден здесь, а когда файл готов, ссылка на него приходит и письмом тому, кто просил (если в установке есть почта). ' +
    `В очереди сайта не больше ${EXPORTS_QUEUED}, следующий — 429; пока она полна, принимаются только отчёты с limit до ${EXPORT_ROWS_AT_ONCE}. Файл и ссылка хранятся 7 дней, у сайта не больше ${EXPORT_FILES} файлов сразу: сверх того — 429.`,
  // Viewers are allowed, since it only reads.
  access: 'viewer',
  params: SitePath,
  body: { schema: ExportRequest, rules: limitFaults, example: EXPORT_REQUEST_EXAMPLE },
  replies: {
    201: { description: 'Файл готов', schema: Export, example: DONE_EXAMPLE },
    202: { description: 'Файл в очереди', schema: Export, example: EXPORT_EXAMPLE },
  },
  errors: [404, 413, 422],
  async handle({ caller, params, body, headers, requestId, disconnectSignal }, deps) {
    const language = languageOf(headers);
    const [settings, stored] = [
      (await loadSiteSettings(deps.pool, [params.id])).get(params.id),
      await findSite(deps.pool, params.id),
    ];
    if (settings && settings.access !== 'open') throw forbidden();
    const { limit, ...given } = reportOf(body.report);
    const options = { now: new Date(), path: 'report' };
    if (!settings || !stored) throw refusalWithoutSite(deps, given, options);
    const { request, sentAs } = await readReport(deps, settings, given, options);
    const answer = await makeOrQueueExport(deps, {
      request: { ...request, limit },
      site: { ...reportSiteOf(settings), title: stored.title },
      language,
      format: body.format,
      userId: caller.user?.id ?? null,
      requestId,
      run: (asked) =>
        runReport(deps, asked, settings, { slot: reportSlotOf(caller), language, sentAs, signal: disconnectSignal() }),
    });
    if (answer.is === 'full') throw rateLimited(answer.retryAfterSeconds);
    return {
      status: answer.is === 'made' ? 201 : 202,
      body: toOutput(params.id, answer.stored, deps.exportLinks, new Date()),
    };
  },
});

/**
 * Extracts the row limit, which differs for files; the rest of the report is validated like any other
 * (reports/validate/).
 * @throws {HttpError} 422
 */
function reportOf(given: unknown): { limit: number } & Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw validationFailed([{ field: 'report', code: given === undefined ? 'required' : 'invalid_type' }]);
  return { limit: REPORT_LIMITS.exportRows, ...given };
}

export const listExportsOperation = define({
  method: 'get',
  path: '/sites/{id}/exports',
  operationId: 'listExports',
  tag: 'exports',
  summary: 'Выгрузки сайта, последние первыми',
  params: SitePath,
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница выгрузок',
      schema: pageOf(Export, 'ExportPage'),
      example: { items: [DONE_EXAMPLE], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool, exportLinks }) {
    const list = async (page: PageById) => {
      if (!(await findSite(pool, params.id))) throw notFound();
      return listExports(pool, params.id, page);
    };
    const now = new Date();
    return {
      status: 200,
      body: await pageById(query, ID_FORMS.uuid, list, (stored) => toOutput(params.id, stored, exportLinks, now)),
    };
  },
});

export const getExport = define({
  method: 'get',
  path: '/sites/{id}/exports/{export}',
  operationId: 'getExport',
  tag: 'exports',
  summary: 'Ход выгрузки и ссылка на файл',
  params: strictObject({ id: SITE_ID, export: UUID }),
  replies: { 200: { description: 'Выгрузка', schema: Export, example: DONE_EXAMPLE } },
  errors: [404],
  async handle({ params }, { pool, exportLinks }) {
    const stored = await findExport(pool, { siteId: params.id, exportId: params.export });
    if (!stored) throw notFound();
    return { status: 200, body: toOutput(params.id, stored, exportLinks, new Date()) };
  },
});
