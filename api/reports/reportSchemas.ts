/** Requests and responses of reports, in the language of the API that describes them. */
import type { Language } from '../../domain/language.ts';
import Type from 'typebox';
import { DIMENSIONS, METRICS } from '../../reports/registry/index.ts';
import {
  ATTRIBUTIONS,
  COMPARISONS,
  FILTER_OPS,
  NOTE_CODES,
  ROBOTS,
  type FilterOp,
  type Sort,
} from '../../reports/reportRequest.ts';
import { REPORT_LIMITS } from '../../reports/validate/reportLimits.ts';
import { DESCRIBED, FAULT_CODES, oneOf, strictObject } from '../../domain/schemas/schema.ts';
import { identifiers } from './identifiers.ts';
import { WORDS } from './reportTexts.ts';

/** Any fault of the value is `invalid_value`, including its type. */
const ALWAYS_INVALID = { [FAULT_CODES]: { type: 'invalid_value' } };
const TOO_MANY = { [FAULT_CODES]: { maxItems: 'too_many' } };

const dimension = (language: Language) => identifiers('dimension', DIMENSIONS, language);
const metric = (language: Language) => identifiers('metric', METRICS, language);
const day = (language: Language) => Type.String({ description: WORDS[language].day, [DESCRIBED]: { format: 'date' } });

/** The operator, the number of values and the pattern are checked in code: they are faults of the whole condition. */
const filter = (language: Language) =>
  strictObject(
    {
      dimension: dimension(language),
      op: Type.Unsafe<FilterOp>({ type: 'string', [DESCRIBED]: { enum: [...FILTER_OPS] } }),
      values: Type.Array(Type.String(), { [DESCRIBED]: { minItems: 1, maxItems: REPORT_LIMITS.filterValues } }),
    },
    { title: 'ReportFilter', description: WORDS[language].filter },
  );

/** An entry is valid or invalid as a whole, so validation accepts any value (reports/validate/validateRequest.ts). */
const sort = Type.Unsafe<Sort>({
  [DESCRIBED]: {
    type: 'object',
    required: ['field', 'dir'],
    properties: { field: { type: 'string' }, dir: { type: 'string', enum: ['asc', 'desc'] } },
    additionalProperties: false,
  },
});

/** Returns the schema of the body of POST /reports. reports/validate checks its meaning. */
export const reportRequest = (language: Language) => {
  const words = WORDS[language];
  return strictObject(
    {
      dimensions: Type.Optional(
        Type.Array(dimension(language), {
          maxItems: REPORT_LIMITS.dimensions,
          default: [],
          description: words.dimensions,
          ...TOO_MANY,
        }),
      ),
      metrics: Type.Array(metric(language), {
        minItems: 1,
        maxItems: REPORT_LIMITS.metrics,
        description: words.metrics,
        ...TOO_MANY,
      }),
      date_from: day(language),
      date_to: day(language),
      filters: Type.Optional(
        Type.Array(filter(language), { maxItems: REPORT_LIMITS.filters, default: [], ...TOO_MANY }),
      ),
      segment_id: Type.Optional(Type.String({ description: words.segmentId })),
      segment: Type.Optional(conditions(language)),
      attribution: Type.Optional(
        oneOf(ATTRIBUTIONS, { default: 'last_significant', description: words.attribution, ...ALWAYS_INVALID }),
      ),
      robots: Type.Optional(oneOf(ROBOTS, { default: 'exclude', description: words.robots, ...ALWAYS_INVALID })),
      sort: Type.Optional(Type.Array(sort, { maxItems: REPORT_LIMITS.sorts, description: words.sort, ...TOO_MANY })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: REPORT_LIMITS.rows,
          default: REPORT_LIMITS.defaultRows,
          ...ALWAYS_INVALID,
        }),
      ),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, ...ALWAYS_INVALID }),
      ),
    },
    { title: 'ReportRequest' },
  );
};

/**
 * Returns the schema of a segment's conditions: validation accepts any object or list (reports/validate/conditions.ts);
 * the description shows forms of which only the outermost has a scope.
 */
export function conditions(language: Language) {
  const { conditions: description, scope: scopeDescription } = WORDS[language];
  const type = ['object', 'array'];
  const ref = { $ref: '#/components/schemas/ReportCondition' };
  const condition = {
    title: 'ReportCondition',
    type,
    description: WORDS[language].condition,
    anyOf: conditionForms(language, ref),
  };
  const scope = { type: 'string', enum: ['visit', 'visitor'], default: 'visit', description: scopeDescription };
  return Type.Unsafe<object>({
    type,
    [DESCRIBED]: { title: 'ReportSegment', description, anyOf: conditionForms(language, condition, { scope }) },
  });
}

/** @param condition schema of the conditions that a group joins; `more`: additional fields of an object */
function conditionForms(
  language: Language,
  condition: object,
  more: Record<string, unknown> = {},
): Record<string, unknown>[] {
  const list = { type: 'array', minItems: 1, items: condition };
  const form = (properties: Record<string, unknown>) => ({
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...more },
    additionalProperties: false,
  });
  const { properties } = filter(language);
  const comparison = {
    metric: metric(language),
    op: { type: 'string', enum: [...COMPARISONS] },
    value: { type: 'number' },
  };
  return [form(properties), form(comparison), form({ all: list }), form({ any: list }), form({ not: condition }), list];
}

const named = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'ReportName' });
const label = Type.Unsafe<string | { id: string; name: string } | null>({
  anyOf: [{ type: 'string' }, named, { type: 'null' }],
});
const note = Type.Object({ code: oneOf(NOTE_CODES), message: Type.String() }, { title: 'ReportNote' });

const responseFields = (language: Language) => {
  const words = WORDS[language];
  const row = Type.Object(
    {
      dimensions: Type.Array(label, { description: words.dimensionLabels }),
      metrics: Type.Array(Type.Number(), { description: words.metricValues }),
    },
    { title: 'ReportRow' },
  );
  return {
    data: Type.Array(row),
    totals: Type.Array(Type.Number(), { description: words.totals }),
    sampled: Type.Boolean({ description: words.sampled }),
    timezone: Type.String({ description: words.timezone }),
    notes: Type.Optional(Type.Array(note, { description: words.notes })),
  };
};

/** For the analytics API. */
export const reportResponse = Type.Object(responseFields('en'), { title: 'ReportResponse' });
/** For the cabinet, which pages through the rows. */
export const cabinetReportResponse = Type.Object(
  { ...responseFields('ru'), rows: Type.Integer({ minimum: 0, description: WORDS.ru.rows }) },
  { title: 'ReportResponse' },
);

export const REPORT_EXAMPLE = {
  dimensions: ['source_type', 'device_type'],
  metrics: ['visits', 'visitors', 'bounce_rate'],
  date_from: '2026-06-01',
  date_to: '2026-06-30',
  filters: [{ dimension: 'country', op: 'in', values: ['RU', 'KZ'] }],
  segment: {
    all: [
      { dimension: 'page_path', op: 'contains', values: ['/catalog/'] },
      { metric: 'pageviews', op: 'gte', value: 2 },
    ],
  },
  attribution: 'last_significant',
  robots: 'exclude',
  sort: [{ field: 'visits', dir: 'desc' }],
  limit: 100,
  offset: 0,
};

export const REPORT_ANSWER_EXAMPLE = {
  data: [
    { dimensions: ['ad', 'mobile'], metrics: [1840, 1502, 0.31] },
    { dimensions: ['organic', null], metrics: [920, 811, 0.27] },
  ],
  totals: [2760, 2288, 0.2967],
  sampled: false,
  timezone: 'Europe/Moscow',
};
