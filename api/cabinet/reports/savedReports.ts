/** Saved reports: GET/POST /sites/{id}/saved-reports, GET/PATCH/DELETE /sites/{id}/saved-reports/{report}. */
import Type from 'typebox';
import {
  deleteSavedReport,
  findSavedReport,
  insertSavedReport,
  listSavedReports,
  SAVED_REPORTS_PER_SITE,
  updateSavedReport,
  type SavedReport,
} from '../../../db/sites/savedReports.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { todayIn } from '../../../reports/validate/index.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { dateTime, nullable, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { element } from '../../http/batchElements.ts';
import { notFound, validationFailed, type FieldFault } from '../../http/errors.ts';
import { readReport, refusalWithoutSite, type ReadReportDeps } from '../../reports/reportBody.ts';
import { REPORT_EXAMPLE, reportRequest } from '../../reports/reportSchemas.ts';
import { define, pageOf, SITE_ID, SitePath, UUID } from '../cabinetOperation.ts';
import { lastDays } from './relativePeriods.ts';
import { title } from '../projects/projects.ts';
import { bytesFaults, SAVED_KB } from './savedSizeLimit.ts';

/** Two years, which never exceed 25 months. */
const MAX_DAYS = 730;

const request = reportRequest('ru');
const { date_from: from, date_to: to, ...others } = request.properties;
/** A saved request has dates, or `last_days` beside it. */
const savedRequest = strictObject(
  { ...others, date_from: Type.Optional(from), date_to: Type.Optional(to) },
  {
    title: 'SavedReportRequest',
    description: `Тело POST /sites/{id}/reports, до ${SAVED_KB} КБ; с last_days — без date_from и date_to`,
  },
);
const days = nullable(
  Type.Integer({
    minimum: 1,
    maximum: MAX_DAYS,
    description:
      'Период — столько последних дней сайта вместе с сегодняшним; даты самого отчёта тогда не хранятся, в ответе они на сегодня',
  }),
);
const SavedReportOutput = Type.Object(
  {
    id: Type.String(),
    title,
    /** The request as it can be sent now: a relative period is converted to dates. */
    report: Type.Unsafe<Record<string, unknown>>(request),
    last_days: days,
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { title: 'SavedReport' },
);
const report = element(savedRequest);
const SavedReportCreate = strictObject(
  { title, report, last_days: Type.Optional(days) },
  { title: 'SavedReportCreate' },
);
const SavedReportPatch = strictObject(
  { title: Type.Optional(title), report: Type.Optional(report), last_days: Type.Optional(days) },
  { title: 'SavedReportPatch' },
);
const SavedReportPath = strictObject({ id: SITE_ID, report: UUID });

const { date_from: _from, date_to: _to, ...undated } = REPORT_EXAMPLE;
const createExample = { title: 'Источники за месяц', report: undated, last_days: 30 };
const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  title: createExample.title,
  report: { ...undated, date_from: '2026-10-22', date_to: '2026-11-20' },
  last_days: 30,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
};

export const listSiteReports = define({
  method: 'get',
  path: '/sites/{id}/saved-reports',
  operationId: 'listSavedReports',
  tag: 'savedReports',
  summary: 'Сохранённые отчёты сайта',
  description: `Все на одной странице: их не больше ${SAVED_REPORTS_PER_SITE}.`,
  params: SitePath,
  replies: {
    200: {
      description: 'Отчёты, старые первыми',
      schema: pageOf(SavedReportOutput, 'SavedReportPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    const toOutput = outputOf(await requireZone(pool, params.id));
    return { status: 200, body: { items: (await listSavedReports(pool, params.id)).map(toOutput), next_cursor: null } };
  },
});

export const createSiteReport = define({
  method: 'post',
  path: '/sites/{id}/saved-reports',
  operationId: 'createSavedReport',
  tag: 'savedReports',
  summary: 'Сохранить отчёт',
  description: `Отчёт проверяется, как если бы его строили. Он сверх ${SAVED_REPORTS_PER_SITE} — 422 с invalid_value без поля.`,
  params: SitePath,
  body: { schema: SavedReportCreate, rules, example: createExample },
  replies: { 201: { description: 'Отчёт сохранён', schema: SavedReportOutput, example } },
  errors: [404, 413, 422],
  async handle({ params, body }, deps) {
    const { timezone, content } = await readContent(deps, params.id, body.report, body.last_days ?? null);
    const stored = await insertSavedReport(deps.pool, params.id, { title: body.title, ...content });
    if (stored === 'no_site') throw notFound();
    if (stored === 'full') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 201, body: outputOf(timezone)(stored) };
  },
});

export const getSiteReport = define({
  method: 'get',
  path: '/sites/{id}/saved-reports/{report}',
  operationId: 'getSavedReport',
  tag: 'savedReports',
  summary: 'Сохранённый отчёт',
  params: SavedReportPath,
  replies: { 200: { description: 'Отчёт', schema: SavedReportOutput, example } },
  errors: [404],
  async handle({ params }, { pool }) {
    const timezone = await requireZone(pool, params.id);
    const stored = await findSavedReport(pool, params.id, params.report);
    if (!stored) throw notFound();
    return { status: 200, body: outputOf(timezone)(stored) };
  },
});

export const patchSiteReport = define({
  method: 'patch',
  path: '/sites/{id}/saved-reports/{report}',
  operationId: 'patchSavedReport',
  tag: 'savedReports',
  summary: 'Переименовать сохранённый отчёт или заменить его',
  description: 'report и last_days заменяются вместе: без last_days у отчёта свои даты.',
  params: SavedReportPath,
  body: { schema: SavedReportPatch, rules: patchRules, example: { title: 'Источники' } },
  replies: {
    200: { description: 'Отчёт изменён', schema: SavedReportOutput, example: { ...example, title: 'Источники' } },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, deps) {
    const { timezone, content }: ReadContent =
      body.report === undefined
        ? { timezone: await requireZone(deps.pool, params.id) }
        : await readContent(deps, params.id, body.report, body.last_days ?? null);
    const stored = await updateSavedReport(deps.pool, params.id, params.report, {
      ...(body.title !== undefined && { title: body.title }),
      ...(content && { content }),
    });
    if (!stored) throw notFound();
    return { status: 200, body: outputOf(timezone)(stored) };
  },
});

export const deleteSiteReport = define({
  method: 'delete',
  path: '/sites/{id}/saved-reports/{report}',
  operationId: 'deleteSavedReport',
  tag: 'savedReports',
  summary: 'Удалить сохранённый отчёт',
  params: SavedReportPath,
  replies: {
    200: {
      description: 'Отчёт удалён',
      schema: Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'SavedReportDeleted' }),
      example: { id: example.id, deleted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await deleteSavedReport(pool, params.id, params.report))) throw notFound();
    return { status: 200, body: { id: params.report, deleted: true } };
  },
});

/** Accepts any value. */
function rules(body: unknown): FieldFault[] {
  return isRecord(body) && isRecord(body['report']) ? bytesFaults(body['report'], 'report') : [];
}

function patchRules(body: unknown): FieldFault[] {
  const isAlone = isRecord(body) && body['last_days'] !== undefined && body['report'] === undefined;
  return isAlone ? [{ field: 'report', code: 'required' }] : rules(body);
}

/** @throws {HttpError} 404 */
async function requireZone(pool: ReadReportDeps['pool'], siteId: string): Promise<string> {
  const site = await findSite(pool, siteId);
  if (!site) throw notFound();
  return site.timezone;
}

interface ReadContent {
  /** Time zone of the site. */
  timezone: string;
  content?: Pick<SavedReport, 'report' | 'lastDays'>;
}

/** @throws {HttpError} 422 with all faults of the report, then 404 for a site that does not exist */
async function readContent(
  deps: ReadReportDeps,
  siteId: string,
  given: unknown,
  count: number | null,
): Promise<Required<ReadContent>> {
  const options = { now: new Date(), path: 'report' };
  const site = await findSite(deps.pool, siteId);
  const whole =
    count === null || !isRecord(given)
      ? given
      : { ...given, ...lastDays(todayIn(site?.timezone ?? 'UTC', options.now), count) };
  if (!site) throw refusalWithoutSite(deps, whole, options);
  const { timezone } = site;
  await readReport(deps, { siteId, timezone }, whole, options);
  if (!isRecord(given)) throw new Error('the report has not been validated');
  if (count === null) return { timezone, content: { report: given, lastDays: null } };
  const { date_from: _first, date_to: _last, ...rest } = given;
  return { timezone, content: { report: rest, lastDays: count } };
}

/** Returns the report with current dates when it has a relative period. */
function outputOf(timezone: string): (stored: SavedReport) => Static<typeof SavedReportOutput> {
  const today = todayIn(timezone, new Date());
  return ({ lastDays: count, createdAt, updatedAt, ...stored }) => ({
    ...stored,
    report: { ...stored.report, ...(count !== null && lastDays(today, count)) },
    last_days: count,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  });
}
