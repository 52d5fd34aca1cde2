/** The registry of reports for authors of requests. */
import Type from 'typebox';
import type { ParamKind } from '../../db/sites/paramKeys.ts';
import type { Language } from '../../domain/language.ts';
import {
  aboutDimension,
  aboutMetric,
  DIMENSIONS,
  METRICS,
  needsOf,
  type Dimension,
  type DimensionGroup,
  type Metric,
  type MetricGroup,
  type LocalizedText,
} from '../../reports/registry/index.ts';
import { REPORT_LIMITS } from '../../reports/validate/reportLimits.ts';
import { nullable, oneOf, orNull, type Static } from '../../domain/schemas/schema.ts';

const LEVELS = ['visit', 'hit', 'goal', 'order', 'product', 'person'] as const;
const DIMENSION_GROUPS = [
  'time',
  'source',
  'visit',
  'technology',
  'geography',
  'page',
  'goal',
  'order',
  'product',
  'audience',
] as const satisfies DimensionGroup[];
const METRIC_GROUPS = ['visits', 'pages', 'goals', 'orders', 'products', 'audience'] as const satisfies MetricGroup[];
const TYPES = ['count', 'number', 'share', 'money', 'seconds', 'percent', 'index'] as const satisfies Metric['type'][];

const words = Type.Object({ en: Type.String(), ru: Type.String() } satisfies Record<Language, Type.TSchema>, {
  title: 'Words',
});
const level = oneOf(LEVELS, { description: 'Чего по одной строке: визит, хит, цель, заказ, строка заказа, человек' });
const common = {
  id: Type.String({ description: 'Без параметра' }),
  level,
  label: words,
  definition: words,
  attribution: orNull(words),
};

const ReportDimensionField = Type.Object(
  {
    ...common,
    group: oneOf(DIMENSION_GROUPS),
    type: oneOf(['text', 'number', 'time'], { description: 'Какие у неё значения' }),
    parameter: nullable(
      oneOf(['key', 'attribute'], {
        description: 'Что пишется после двоеточия: ключ параметра или признак аудитории; без него её нет',
      }),
    ),
    is_time: Type.Boolean(),
    is_named: Type.Boolean({ description: 'Подписи строк — {id, name}, а в условиях пишется id' }),
    codes: nullable(
      Type.Array(Type.Object({ code: Type.String(), name: words }), {
        description: 'Названия кодов, если подписи строк — коды из словаря',
      }),
    ),
  },
  { title: 'ReportDimensionField' },
);
const ReportMetricField = Type.Object(
  {
    ...common,
    group: oneOf(METRIC_GROUPS),
    type: oneOf(TYPES, {
      description: 'share — доля единицы, percent — доля сотни, money — в валюте сайта, index — 100 у всех людей сайта',
    }),
    parameter: nullable(oneOf(['goal'], { description: 'Может быть только одной цели: после двоеточия её код' })),
    excludes: Type.Array(level, { description: 'Уровни группировок и условий, с которыми его нет' }),
    needs_one: nullable(oneOf(LEVELS, { description: 'Уровень, группировка которого нужна ровно одна' })),
    in_segments: Type.Boolean({ description: 'Имеет смысл у одного визита: годится в условия сегмента' }),
  },
  { title: 'ReportMetricField' },
);

const keys = Type.Array(Type.String());
const most = Type.Integer({ minimum: 1 });

export const ReportFields = Type.Object(
  {
    dimensions: Type.Array(ReportDimensionField),
    metrics: Type.Array(ReportMetricField),
    parameters: Type.Object(
      { visit_param: keys, event_param: keys, visitor_param: keys, value_source: keys },
      { description: 'По группировке: что может стоять после двоеточия' },
    ),
    goals: Type.Array(Type.Object({ code: Type.String(), title: Type.String() })),
    currency: Type.String({ description: 'В ней деньги отчётов' }),
    limits: Type.Object(
      {
        dimensions: most,
        metrics: most,
        filters: most,
        filter_values: most,
        sorts: most,
        rows: most,
        months: most,
        segment_depth: most,
        segment_leaves: most,
        export_rows: most,
      },
      { description: 'Сколько чего может быть в одном запросе' },
    ),
  },
  { title: 'ReportFields' },
);

type Fields = Static<typeof ReportFields>;

/** The part that is the same for all sites. */
export const REGISTRY_FIELDS: Pick<Fields, 'dimensions' | 'metrics' | 'limits'> = {
  dimensions: DIMENSIONS.map(dimensionField),
  metrics: METRICS.map(metricField),
  limits: {
    dimensions: REPORT_LIMITS.dimensions,
    metrics: REPORT_LIMITS.metrics,
    filters: REPORT_LIMITS.filters,
    filter_values: REPORT_LIMITS.filterValues,
    sorts: REPORT_LIMITS.sorts,
    rows: REPORT_LIMITS.rows,
    months: REPORT_LIMITS.months,
    segment_depth: REPORT_LIMITS.segmentDepth,
    segment_leaves: REPORT_LIMITS.segmentLeaves,
    export_rows: REPORT_LIMITS.exportRows,
  },
};

/** Returns the part that is specific to a site. */
export function fieldsOf(
  { currency }: { currency: string },
  seen: Record<ParamKind, string[]>,
  goals: readonly { code: string; title: string }[],
): Pick<Fields, 'parameters' | 'goals' | 'currency'> {
  return {
    parameters: {
      visit_param: seen.visit,
      event_param: seen.event,
      visitor_param: seen.visitor,
      value_source: attributesWith(seen.visitor),
    },
    goals: goals.map(({ code, title }) => ({ code, title })),
    currency,
  };
}

/** Returns the names alone: the entries of dictionaries have other properties too. */
function namesOf({ en, ru }: LocalizedText): LocalizedText {
  return { en, ru };
}

function dimensionField(dimension: Dimension): Fields['dimensions'][number] {
  const { id, group, level: of, type, label, takes, isTime, names, codeNames } = dimension;
  // The dimensions of goals accept no goal as a parameter, because each of their rows is one.
  const parameter = takes === 'goal' ? null : takes;
  const codes = codeNames && [...codeNames].map(([code, named]) => ({ code, name: namesOf(named) }));
  return {
    id,
    group,
    level: of,
    type,
    label,
    ...aboutDimension(dimension),
    parameter,
    is_time: isTime,
    is_named: names !== null,
    codes,
  };
}

function metricField(metric: Metric): Fields['metrics'][number] {
  const { id, group, level: of, type, label, takes, perVisit } = metric;
  const { excludes, needsOne } = needsOf(metric);
  return {
    id,
    group,
    level: of,
    type,
    label,
    ...aboutMetric(metric),
    parameter: takes,
    excludes: [...excludes],
    needs_one: needsOne,
    in_segments: perVisit !== null,
  };
}

/** Returns the attributes whose source can be queried: every attribute of people, params with their keys. */
function attributesWith(params: readonly string[]): string[] {
  return DIMENSIONS.filter(({ level: of, takes }) => of === 'person' && takes !== 'attribute').flatMap(
    ({ id, takes }) => (takes === 'key' ? params.map((key) => `${id}:${key}`) : [id]),
  );
}

export const FIELDS_EXAMPLE: Fields = {
  ...REGISTRY_FIELDS,
  dimensions: REGISTRY_FIELDS.dimensions.filter(({ id }) => id === 'source_type'),
  metrics: REGISTRY_FIELDS.metrics.filter(({ id }) => id === 'conversion_rate'),
  ...fieldsOf({ currency: 'RUB' }, { visit: ['plan'], event: ['button'], visitor: ['tier'] }, [
    { code: 'checkout', title: 'Оформление заказа' },
  ]),
};
