/** Documented limit of one key, in requests per second; a project may have its own. */
export const REQUESTS_PER_SECOND = 20;
/** Output and search have their own bucket. */
export const OUTPUT_PER_SECOND = 100;
