/** The fields available in reports of a site, and their titles. */
import { queryOptions } from '@tanstack/react-query';
import type { Language } from '../../words/load.ts';
import { api, type cabinet } from '../client.ts';

export type ReportFields = cabinet.ReportFields;
export type DimensionField = cabinet.ReportDimensionField;
export type MetricField = cabinet.ReportMetricField;

/** New keys of params and goals appear at the next visit of the page. */
const FRESH_MS = 60_000;

export const reportFieldsQuery = (site: string) =>
  queryOptions({
    queryKey: ['report-fields', site],
    queryFn: async ({ signal }) => (await api.getReportFields({ signal, path: { id: site } })).data,
    staleTime: FRESH_MS,
  });

/**
 * @param id with its parameter: `visit_param:plan`
 * @returns undefined if no dimension has this identifier
 */
export function findDimension({ dimensions }: ReportFields, id: string): DimensionField | undefined {
  const { name, param } = partsOf(id);
  return dimensions.find((field) => field.id === name && (field.parameter !== null) === (param !== ''));
}

export function findMetric({ metrics }: ReportFields, id: string): MetricField | undefined {
  const { name, param } = partsOf(id);
  return metrics.find((field) => field.id === name && (param === '' || field.parameter !== null));
}

/** Returns `Conversions: Checkout`, `Param of the visit: plan`; for unknown fields the identifier itself. */
export function titleOf(fields: ReportFields, id: string, language: Language): string {
  const { param } = partsOf(id);
  const label = (findDimension(fields, id) ?? findMetric(fields, id))?.label[language];
  if (label === undefined) return id;
  return param === '' ? label : `${label}: ${paramTitle(fields, id, language)}`;
}

/** Returns the name of a dimension's code, such as `Retail`; undefined if the code itself is shown. */
export function nameOfCode(fields: ReportFields, id: string, code: string, language: Language): string | undefined {
  return findDimension(fields, id)?.codes?.find((known) => known.code === code)?.name[language];
}

function paramTitle(fields: ReportFields, id: string, language: Language): string {
  const { name, param } = partsOf(id);
  if (name === 'value_source') return titleOf(fields, param, language);
  return fields.goals.find(({ code }) => code === param)?.title ?? param;
}

/** A key may contain colons. */
function partsOf(id: string): { name: string; param: string } {
  const colon = id.indexOf(':');
  return colon === -1 ? { name: id, param: '' } : { name: id.slice(0, colon), param: id.slice(colon + 1) };
}

export interface Option {
  id: string;
  group: DimensionField['group'] | MetricField['group'];
}

/** Returns every selectable dimension; those with a parameter once for each known value. */
export function dimensionOptions({ dimensions, parameters }: ReportFields): Option[] {
  const known: Readonly<Record<string, readonly string[]>> = parameters;
  return dimensions.flatMap(({ id, group, parameter }) =>
    parameter === null ? [{ id, group }] : (known[id] ?? []).map((param) => ({ id: `${id}:${param}`, group })),
  );
}

/**
 * Returns every metric.
 * @param goal if given, goal metrics are about this goal
 */
export function metricOptions({ metrics }: ReportFields, goal: string | null): Option[] {
  return metrics.map(({ id, group, parameter }) => ({
    id: parameter !== null && goal !== null ? `${id}:${goal}` : id,
    group,
  }));
}
