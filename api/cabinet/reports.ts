/** POST /sites/{id}/reports: a report of a site for who may see it. */
import { loadSiteSettings } from '../../db/sites/settings.ts';
import type { CabinetCaller } from '../auth/cabinet.ts';
import { element } from '../http/elements.ts';
import { readReport, refusalWithoutSite } from '../reports/readReport.ts';
import { runReport } from '../reports/runReport.ts';
import { cabinetReportResponse, REPORT_ANSWER_EXAMPLE, REPORT_EXAMPLE, reportRequest } from '../reports/schema.ts';
import { define } from './define.ts';
import { SitePath } from './siteFields.ts';

/** Of one user, whichever of his tokens and sessions ask. */
const SIMULTANEOUS = 2;

export const postSiteReport = define({
  method: 'post',
  path: '/sites/{id}/reports',
  operationId: 'postReport',
  tag: 'reports',
  summary: 'Построить отчёт',
  description:
    'До 5 группировок, 10 показателей и 10 000 строк не больше чем за 25 месяцев. У одного пользователя одновременно строятся два отчёта, третий — 429. Отчёт дольше 30 секунд строится по 10 процентам посетителей (sampled: true); если и это не успело — 503. Ошибки полей — как у POST /reports API аналитики.',
  // It only reads.
  access: 'viewer',
  params: SitePath,
  body: { schema: element(reportRequest('ru')), example: REPORT_EXAMPLE },
  replies: {
    200: { description: 'Отчёт', schema: cabinetReportResponse, example: { ...REPORT_ANSWER_EXAMPLE, rows: 2 } },
  },
  errors: [404, 413, 422],
  async handle({ caller, params, body, gone, answered }, deps) {
    const site = (await loadSiteSettings(deps.pool, [params.id])).get(params.id);
    const now = new Date();
    if (!site) throw refusalWithoutSite(deps, body, { now });
    const { request, sentAs } = await readReport(deps, site, body, { now });
    const report = await runReport(deps, request, site, {
      slot: reportSlotOf(caller),
      language: 'ru',
      sentAs,
      signal: gone(),
      answered,
    });
    return { status: 200, body: report };
  },
});

/** A token of the installation is nobody's: it has places of its own. */
export function reportSlotOf({ user, bucket }: CabinetCaller): { key: string; max: number } {
  return { key: user ? `user/${user.id}` : bucket, max: SIMULTANEOUS };
}
