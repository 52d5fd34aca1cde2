import { useCallback } from 'react';
import { useFormat } from '../../../../words/format.ts';
import type { Figure } from './figures.ts';

/**
 * Returns a function that formats a value of a figure.
 * @param currency of the site
 */
export function useFigureFormat(currency: string): (figure: Figure, value: number) => string {
  const format = useFormat();
  return useCallback(
    (figure, value) => {
      if (figure === 'bounce_rate') return format.percent(value);
      if (figure === 'avg_visit_duration') return format.duration(value);
      return figure === 'revenue' ? format.money(value, currency) : format.number(value);
    },
    [format, currency],
  );
}
