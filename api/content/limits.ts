/** Documented limits of one key, in requests a second; a project may have its own. */
export const REQUESTS_PER_SECOND = 20;
/** Output and search have a bucket of their own. */
export const OUTPUT_PER_SECOND = 100;
