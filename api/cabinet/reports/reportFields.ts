/** GET /sites/{id}/report-fields: everything that reports of a site can contain. */
import { listGoals } from '../../../db/sites/goals.ts';
import { listParamKeys, PARAM_KEYS_PER_KIND } from '../../../db/sites/paramKeys.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { notFound } from '../../http/errors.ts';
import { FIELDS_EXAMPLE, fieldsOf, ReportFields, REGISTRY_FIELDS } from '../../reports/reportFields.ts';
import { define, SitePath } from '../cabinetOperation.ts';

export const getReportFields = define({
  method: 'get',
  path: '/sites/{id}/report-fields',
  operationId: 'getReportFields',
  tag: 'reports',
  summary: 'Из чего строятся отчёты',
  description:
    'Группировки и показатели с подписями и определениями на всех языках кабинета; что с чем сочетается: показатель нельзя построить с группировками и условиями уровней excludes, а показателю с needs_one нужна ровно одна группировка этого уровня. ' +
    `Ключи параметров — те, что присылал сайт, до ${PARAM_KEYS_PER_KIND} каждого вида; в отчёте можно назвать и другой.`,
  params: SitePath,
  replies: { 200: { description: 'Поля отчётов', schema: ReportFields, example: FIELDS_EXAMPLE } },
  errors: [404],
  async handle({ params }, { pool }) {
    const site = await findSite(pool, params.id);
    if (!site) throw notFound();
    const [keys, goals] = [await listParamKeys(pool, params.id), await listGoals(pool, params.id)];
    return { status: 200, body: { ...REGISTRY_FIELDS, ...fieldsOf(site, keys, goals) } };
  },
});
