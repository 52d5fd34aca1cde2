/** A report as the rows of a table: titles, readable labels, totals, and remarks. */
import { findDimension, findMetric } from '../registry/index.ts';
import type { Language } from '../../domain/language.ts';
import type { Label, Report, ReportRequest, ReportSite } from '../reportRequest.ts';

/** A label as text or a metric as a number; null is unknown. */
export type Cell = string | number | null;

export interface Table {
  header: string[];
  /** Generated while they are read. */
  rows: Iterable<Cell[]>;
  /** The last row; null for a report without dimensions, which has only that row. */
  totals: Cell[] | null;
  /** Facts about the file, as name and value. */
  about: [string, string][];
  /** Remarks that a reader of the figures must know. */
  remarks: string[];
  sheets: { table: string; about: string };
}

const WORDS = {
  ru: {
    total: 'Итого',
    table: 'Отчёт',
    about: 'О выгрузке',
    site: 'Сайт',
    period: 'Период',
    timezone: 'Часовой пояс',
    currency: 'Валюта',
    rows: 'Строк',
    rowsOf: (count: number, all: number) => (count < all ? `${count} из ${all}` : String(count)),
    remark: 'Примечание',
    sampled: 'Посчитано по выборке: 10 % посетителей, числа и суммы умножены на 10',
  },
  en: {
    total: 'Total',
    table: 'Report',
    about: 'About',
    site: 'Site',
    period: 'Period',
    timezone: 'Time zone',
    currency: 'Currency',
    rows: 'Rows',
    rowsOf: (count: number, all: number) => (count < all ? `${count} of ${all}` : String(count)),
    remark: 'Note',
    sampled: 'Computed on a sample: 10 percent of visitors, counts and sums multiplied by 10',
  },
} as const satisfies Record<Language, object>;

/** @param site its title appears in the file, and the titles of its goals in the header */
export function tableOf(
  report: Report,
  request: ReportRequest,
  site: ReportSite & { title: string },
  language: Language,
): Table {
  const words = WORDS[language];
  const { dimensions, metrics } = request;
  const remarks = [...(report.sampled ? [words.sampled] : []), ...(report.notes ?? []).map(({ message }) => message)];
  return {
    header: [
      ...dimensions.map((id) => dimensionTitle(id, language)),
      ...metrics.map((id) => metricTitle(id, site, language)),
    ],
    rows: rowsOf(report),
    totals: dimensions.length === 0 ? null : [words.total, ...dimensions.slice(1).map(() => null), ...report.totals],
    about: [
      [words.site, site.title],
      [words.period, `${request.date_from} — ${request.date_to}`],
      [words.timezone, report.timezone],
      [words.currency, site.currency],
      [words.rows, words.rowsOf(report.data.length, report.rows)],
      ...remarks.map((remark): [string, string] => [words.remark, remark]),
    ],
    remarks,
    sheets: { table: words.table, about: words.about },
  };
}

function* rowsOf(report: Report): Generator<Cell[]> {
  for (const { dimensions, metrics } of report.data) yield [...dimensions.map(textOf), ...metrics];
}

function textOf(label: Label): string | null {
  return label !== null && typeof label === 'object' ? label.name : label;
}

function dimensionTitle(id: string, language: Language): string {
  const found = findDimension(id);
  return found ? titleOf(found.dimension.label[language], found.param) : id;
}

function metricTitle(id: string, site: ReportSite, language: Language): string {
  const found = findMetric(id);
  if (!found) return id;
  const goal = site.goals.find(({ code }) => code === found.param);
  return titleOf(found.metric.label[language], goal?.title ?? found.param);
}

function titleOf(label: string, param: string | null | undefined): string {
  return param ? `${label}: ${param}` : label;
}
