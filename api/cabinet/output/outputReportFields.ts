/** Response schema of the output report. */
import Type from 'typebox';
import { REPORT_GROUPS } from '../../../db/output/outputReport.ts';
import { SLOTS } from '../../../domain/experiments/samplePeople.ts';
import { nullable, oneOf, orNull } from '../../../domain/schemas/schema.ts';

export const WARNINGS = ['shared_learning', 'sample_ratio', 'experiment_changed', 'truncated'] as const;

const bound = nullable(Type.Number());
const Rate = Type.Object(
  { value: Type.Number(), low: bound, high: bound },
  {
    title: 'OutputRate',
    description:
      'На один запрос; low и high — границы 95 % по людям, null — людей меньше двух или доля у всех одна и та же',
  },
);

const rates = {
  opens: orNull(Rate),
  goals: orNull(Rate),
  purchases: orNull(Rate),
  revenue: orNull(Rate),
};
const Rates = Type.Object(rates, { title: 'OutputRates' });

const Row = Type.Object(
  {
    surface: Type.Optional(nullable(Type.String({ description: 'null — место не названо' }))),
    position: Type.Optional(
      Type.Integer({
        description: '0–4 по одной, 5–9, 10–19, 20–49, 50–99 и дальше — по первой; −1 — показ без позиции',
      }),
    ),
    variant: Type.Optional(
      orNull(
        Type.Object(
          { experiment: Type.String(), index: Type.Integer(), name: nullable(Type.String()) },
          { title: 'ReportedVariant' },
        ),
      ),
    ),
    day: Type.Optional(Type.String({ description: 'UTC, день запроса; у показов — день показа' })),
    requests: Type.Integer({ description: 'Страницы ответов, где была такая позиция' }),
    people: Type.Integer({ description: 'Запрос без человека — отдельный человек' }),
    fallback_share: nullable(Type.Number()),
    latency_ms: Type.Object({ p50: bound, p95: bound }),
    impressions: Type.Integer({ description: 'События показа, назвавшие recommendation_id' }),
    opens: Type.Integer(),
    goals: Type.Integer(),
    purchases: Type.Integer(),
    revenue: Type.Number({ description: 'Цена на количество, в деньгах проекта' }),
    rates: Rates,
  },
  { title: 'OutputReportRow' },
);

const ExperimentReport = Type.Object(
  {
    id: Type.String(),
    surface: Type.String(),
    variants: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          share: Type.Number(),
          people: Type.Integer({
            description:
              'Примерно столько разных людей получили ответ с последнего изменения долей или настроек, независимо от дней отчёта; запрос без человека — отдельный человек',
          }),
          requests: Type.Integer(),
          rates: Rates,
          difference: orNull(Rates),
        },
        { title: 'ExperimentVariant', description: 'difference — насколько больше, чем у первого варианта' },
      ),
    ),
    sample_ratio_p: nullable(
      Type.Number({
        description: `Вероятность такого или большего отклонения от долей (хи-квадрат) среди людей, получивших ответ с последнего изменения долей или настроек; больше ${SLOTS} людей проверяются по выборке`,
      }),
    ),
  },
  { title: 'ExperimentReport' },
);

export const OutputReportOutput = Type.Object(
  {
    from: Type.String(),
    until: Type.String(),
    group: Type.Array(oneOf(REPORT_GROUPS)),
    rows: Type.Array(Row),
    experiments: Type.Array(ExperimentReport),
    warnings: Type.Array(
      Type.Object(
        { code: oneOf(WARNINGS), experiment: nullable(Type.String()), message: Type.String() },
        { title: 'OutputWarning' },
      ),
    ),
  },
  { title: 'OutputReport' },
);
