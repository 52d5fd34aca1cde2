import type { ReportSearch } from './reportAddress.ts';

/** Returns the report of the sources that lead to a goal. */
export function reportOfGoal(code: string): ReportSearch {
  return {
    by: ['source_type', 'source_name'],
    show: ['visits', `conversions:${code}`, `conversion_rate:${code}`, `conversion_value:${code}`],
    sort: { field: `conversions:${code}`, dir: 'desc' },
  };
}
