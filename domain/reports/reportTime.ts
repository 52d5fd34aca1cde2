/**
 * Maximum of REPORT_SECONDS and of REPORT_SAMPLE_SECONDS. No run of a report reads the lake for longer, so keys
 * and states of the lake that it began with need not last longer than this.
 */
export const MAX_REPORT_SECONDS = 300;
