/** Texts for the fields of reports and their values. */
import { useMemo } from 'react';
import { findMetric, nameOfCode, titleOf, type ReportFields } from '../../../data/report/reportFields.ts';
import type { Filter } from '../../../data/report/reportAddress.ts';
import type { ReportLabel } from '../../../data/sites/reports.ts';
import { codeOf } from '../../../data/sites/reports.ts';
import { useFormat } from '../../../words/format.ts';
import { usePreferences } from '../../../words/preferences.tsx';
import { codeTexts } from './codeTexts.ts';

export interface ReportText {
  /** Returns the title of a dimension or a metric. */
  title(id: string): string;
  /**
   * Formats a value.
   * @param metric its identifier
   */
  value(metric: string, value: number): string;
  /**
   * Returns a row's label.
   * @param dimension its identifier
   */
  label(dimension: string, label: ReportLabel): string;
  filter(filter: Filter): string;
  /** Formats a relative change. */
  change(share: number): string;
}

/** Maximum number of values shown; the others are only counted. */
const VALUES_SHOWN = 3;

/** Creates formatters, so do not call it for each row. */
export function useReportText(fields: ReportFields): ReportText {
  const { language, words } = usePreferences();
  const format = useFormat();
  return useMemo(() => {
    const money = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: fields.currency,
      trailingZeroDisplay: 'stripIfInteger',
    });
    const codes = codeTexts(language, words, format);
    const title = (id: string): string => titleOf(fields, id, language);
    const label = (dimension: string, of: ReportLabel): string => {
      const code = codeOf(of);
      if (code === null) return words.report.unknown;
      if (typeof of === 'object' && of !== null) return of.name;
      const goal = dimension === 'goal' ? fields.goals.find((one) => one.code === code)?.title : undefined;
      return goal ?? nameOfCode(fields, dimension, code, language) ?? codes(dimension, code) ?? code;
    };
    return {
      title,
      label,
      change: format.change,
      value: (metric, value) => {
        switch (findMetric(fields, metric)?.type) {
          case 'share':
            return format.percent(value);
          case 'percent':
            return format.percent(value / 100);
          case 'money':
            return money.format(value);
          case 'seconds':
            return format.duration(value);
          default:
            return format.number(value);
        }
      },
      filter: ({ dimension, op, values }) => {
        const shown = values.slice(0, VALUES_SHOWN).map((value) => label(dimension, value));
        const more = values.length > VALUES_SHOWN ? ` +${values.length - VALUES_SHOWN}` : '';
        return `${title(dimension)} ${words.report.filter.ops[op]} ${shown.join(', ')}${more}`;
      },
    };
  }, [fields, language, words, format]);
}
