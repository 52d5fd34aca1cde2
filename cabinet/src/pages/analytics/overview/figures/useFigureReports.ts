import { useQuery } from '@tanstack/react-query';
import type { Days } from '../../../../data/period.ts';
import { reportQuery, type Report } from '../../../../data/sites/reports.ts';
import type { SiteFilter } from '../../../../data/sites/siteFilter.ts';
import { figureReport, groupOf, type Figure } from './figures.ts';

export interface FigureReports {
  /** Returns the report that has a figure, once it is loaded. */
  reportOf(figure: Figure): Report | undefined;
  error: Error | null;
  retry(): void;
}

/**
 * Loads all figures of some days.
 * @param days null loads nothing
 */
export function useFigureReports(site: string, days: Days | null, filter: SiteFilter): FigureReports {
  const visits = useFigureReport(site, 'visits', days, filter);
  const worth = useFigureReport(site, 'revenue', days, filter);
  return {
    reportOf: (figure) => (groupOf(figure) === groupOf('visits') ? visits.data : worth.data),
    error: visits.error ?? worth.error,
    retry: () => void Promise.all([visits, worth].map(({ error, refetch }) => error && refetch())),
  };
}

function useFigureReport(site: string, figure: Figure, days: Days | null, filter: SiteFilter) {
  return useQuery({
    ...reportQuery(site, figureReport(figure, days ?? PLACEHOLDER_DAYS, filter)),
    enabled: days !== null,
    // The chart would draw a report of other days as if it were of these.
    placeholderData: () => undefined,
  });
}

/** Placeholder that is never requested. */
const PLACEHOLDER_DAYS: Days = { from: '2000-01-01', to: '2000-01-01' };
