/** Report of what output showed and its results: GET /projects/{id}/output/report. */
import { OUTPUT_DAYS } from '../../../domain/output/outputRetention.ts';
import Type from 'typebox';
import { isStatementTimeout } from '../../../db/errors.ts';
import { inReport, readReport, readTotals, REPORT_GROUPS, type ReportQuery } from '../../../db/output/outputReport.ts';
import { readReportedExperiments } from '../../../db/output/reportedExperiments.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { oneOf, text } from '../../../domain/schemas/schema.ts';
import { notFound, unavailable } from '../../http/errors.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';
import { toReportOutput } from './outputReportAnswer.ts';
import { OutputReportOutput } from './outputReportFields.ts';
import { dayField, utcDaysOf } from '../utcDays.ts';

const DEFAULT_DAYS = 7;
/** Maximum number of reports at a time in one process: each holds a connection while it runs. */
const MAX_CONCURRENT = 2;
let running = 0;

const rate = { value: 0.21, low: 0.18, high: 0.24 };
const rates = { opens: rate, goals: null, purchases: null, revenue: null };

export const reportProjectOutput = define({
  method: 'get',
  path: '/projects/{id}/output/report',
  operationId: 'reportOutput',
  tag: 'output',
  summary: 'Что показала выдача и что из этого вышло',
  description: `Дни — по UTC, обе даты включительно, не больше ${OUTPUT_DAYS} дней; без дат — последние ${DEFAULT_DAYS}. Считаются страницы ответов и события, которые назвали их recommendation_id и показанный объект, в течение 7 дней после ответа. Покупка без recommendation_id (строка заказа) относится к последнему такому событию того же человека с тем же объектом. Доли — на один запрос, границы — 95 % по людям. При p меньше 0,001 соотношение вариантов не объяснить случаем: такому эксперименту нельзя верить, пока причина не найдена.`,
  params: ProjectPath,
  query: Type.Object({
    from: dayField('Первый день'),
    until: dayField('Последний день'),
    surface: Type.Optional(text(16, { description: 'Только это место' })),
    group: Type.Optional(
      Type.Array(oneOf(REPORT_GROUPS), {
        maxItems: REPORT_GROUPS.length,
        uniqueItems: true,
        default: ['surface', 'variant'],
        description: 'Через запятую; по умолчанию surface,variant',
      }),
    ),
  }),
  replies: {
    200: {
      description: 'Отчёт',
      schema: OutputReportOutput,
      example: {
        from: '2026-12-01',
        until: '2026-12-07',
        group: ['surface'],
        rows: [
          {
            surface: 'feed',
            requests: 1000,
            people: 400,
            fallback_share: 0.001,
            latency_ms: { p50: 14.2, p95: 31.5 },
            impressions: 9000,
            opens: 210,
            goals: 0,
            purchases: 0,
            revenue: 0,
            rates,
          },
        ],
        experiments: [],
        warnings: [],
      },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const { from, until, surface = null, group = ['surface', 'variant'] } = query;
    const period = utcDaysOf(
      [from, until],
      { defaultDays: DEFAULT_DAYS, maxDays: OUTPUT_DAYS, lastField: 'until' },
      new Date(),
    );
    if (!(await findProject(pool, params.id))) throw notFound();
    const wanted: ReportQuery = { projectId: params.id, ...period, surface, group };
    const byVariant: ReportQuery = { ...wanted, group: ['variant'] };
    const answer = await limitConcurrency(() =>
      inReport(pool, async (ask) => {
        const experiments = await readReportedExperiments(ask, wanted);
        const report = await readReport(ask, wanted);
        const variants = experiments.length > 0 ? await readTotals(ask, byVariant) : [];
        return toReportOutput(wanted, { report, experiments, variants });
      }),
    );
    return { status: 200, body: answer };
  },
});

/** @throws {HttpError} 503 when too many reports are running, or this one takes too long: a shorter period may work */
async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) throw unavailable();
  running += 1;
  try {
    return await work();
  } catch (error) {
    throw isStatementTimeout(error) ? unavailable(error) : error;
  } finally {
    running -= 1;
  }
}
