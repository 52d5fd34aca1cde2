/** The report in the address of the page, and its changes. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Change } from '../../../data/report/changes.ts';
import { searchOf, stateOf, type ReportSearch, type ReportState } from '../../../data/report/reportAddress.ts';

export interface ReportInAddress {
  search: ReportSearch;
  state: ReportState;
  /**
   * Changes the report.
   * @param isStep whether "back" undoes it
   */
  change(change: Change, isStep?: boolean): void;
}

export function useReportState(): ReportInAddress {
  const search = useSearch({ from: '/shell/s/$site/report' });
  const navigate = useNavigate();
  return useMemo(() => {
    const state = stateOf(search);
    return {
      search,
      state,
      change: (change, isStep = false) => {
        const { period, from, to, compare } = search;
        const next = { period, from, to, compare, ...searchOf(change(state)) };
        void navigate({ to: '.', search: next, replace: !isStep, resetScroll: false });
      },
    };
  }, [search, navigate]);
}
