/** The report of an address that names none. */
export const DEFAULT_REPORT = {
  by: ['source_type'],
  show: ['visits', 'visitors', 'bounce_rate', 'avg_visit_duration'],
};
