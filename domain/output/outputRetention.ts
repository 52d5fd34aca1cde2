/**
 * Number of days for which data about output is kept: its answers, the counts of their impressions, and ended
 * experiments.
 */
export const OUTPUT_DAYS = 90;
