/**
 * POST /sites/{id}/reports: a report of a site for users who may see it. Saved reports: savedReports.ts; files:
 * exports.ts.
 */
import { loadSiteSettings } from '../../../db/sites/siteSettings.ts';
import { LANGUAGES } from '../../../domain/language.ts';
import { element } from '../../http/batchElements.ts';
import { languageOf } from '../../http/preferredLanguage.ts';
import { readReport, refusalWithoutSite } from '../../reports/reportBody.ts';
import { runReport } from '../../reports/runForClient.ts';
import {
  cabinetReportResponse,
  REPORT_ANSWER_EXAMPLE,
  REPORT_EXAMPLE,
  reportRequest,
} from '../../reports/reportSchemas.ts';
import { define, SitePath } from '../cabinetOperation.ts';
import { reportSlotOf } from './simultaneousReports.ts';

export const postSiteReport = define({
  method: 'post',
  path: '/sites/{id}/reports',
  operationId: 'postReport',
  tag: 'reports',
  summary: 'Построить отчёт',
  description:
    'До 5 группировок, 10 показателей и 10 000 строк не больше чем за 25 месяцев. У одного пользователя одновременно строятся два отчёта, третий — 429. Отчёт дольше 30 секунд строится по 10 процентам посетителей (sampled: true); если и это не успело — 503. Подписи строк — на языке из Accept-Language (' +
    `${LANGUAGES.join(', ')}), без него — на русском. Ошибки полей — как у POST /reports API аналитики.`,
  // Viewers are allowed, since it only reads.
  access: 'viewer',
  params: SitePath,
  body: { schema: element(reportRequest('ru')), example: REPORT_EXAMPLE },
  replies: {
    200: { description: 'Отчёт', schema: cabinetReportResponse, example: { ...REPORT_ANSWER_EXAMPLE, rows: 2 } },
  },
  errors: [404, 413, 422],
  async handle({ caller, params, body, headers, disconnectSignal, responseClosed }, deps) {
    const site = (await loadSiteSettings(deps.pool, [params.id])).get(params.id);
    const now = new Date();
    if (!site) throw refusalWithoutSite(deps, body, { now });
    const { request, sentAs } = await readReport(deps, site, body, { now });
    const report = await runReport(deps, request, site, {
      slot: reportSlotOf(caller),
      language: languageOf(headers),
      sentAs,
      signal: disconnectSignal(),
      responseClosed,
    });
    return { status: 200, body: report };
  },
});
