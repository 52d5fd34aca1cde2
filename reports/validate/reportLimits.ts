/**
 * The limits of a report request, for both APIs and the cabinet's builder. The schema (api/reports/reportSchemas.ts)
 * refuses longer lists and other numbers of rows; periods, filters and segments are checked here.
 */
export const REPORT_LIMITS = {
  dimensions: 5,
  metrics: 10,
  filters: 20,
  filterValues: 100,
  sorts: 3,
  rows: 10_000,
  defaultRows: 100,
  months: 25,
  segmentDepth: 4,
  segmentLeaves: 50,
  exportRows: 100_000,
} as const;
