/** Converts the codes of reports to words. */
import { useMemo } from 'react';
import { codeOf, type ReportLabel } from '../../../data/sites/reports.ts';
import type { FilterDimension } from '../../../data/sites/siteFilter.ts';
import { usePreferences } from '../../../words/preferences.tsx';

/** @returns a function that returns the text of a dimension's value; a label's own name takes precedence */
export function useCodeText(): (dimension: FilterDimension, label: ReportLabel) => string {
  const { language, words } = usePreferences();
  return useMemo(() => {
    const countries = new Intl.DisplayNames(language, { type: 'region' });
    const named: Partial<Record<FilterDimension, (code: string) => string | undefined>> = {
      source_type: (code) => words.codes.source_type[code as keyof typeof words.codes.source_type],
      device_type: (code) => words.codes.device_type[code as keyof typeof words.codes.device_type],
      country: (code) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined),
    };
    return (dimension, label) => {
      const code = codeOf(label);
      if (code === null) return words.codes.unknown;
      const name = typeof label === 'object' && label !== null ? label.name : code;
      return named[dimension]?.(code) ?? name;
    };
  }, [language, words]);
}
