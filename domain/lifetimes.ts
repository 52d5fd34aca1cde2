/** Lifetimes of things that have ended or that nothing names any more. */

/** Lifetime of signed links to frames and originals (api/media/mediaLinks.ts). */
export const LINK_LIFETIME_SECONDS = 3_600;

/**
 * Replaced blobs stay as long as links to them, and as long again for cached answers with such links and for an
 * analysis that has just read their keys.
 */
export const REPLACED_BLOBS_SECONDS = 2 * LINK_LIFETIME_SECONDS;

/**
 * An attempt to prepare a medium stores its result long before this time, or never (domain/jobs/activityOptions.ts).
 */
export const UNSTORED_BLOBS_SECONDS = 86_400;

/** Lifetime of the file of a finished import: long enough to look up the lines of its errors. */
export const IMPORT_FILE_SECONDS = 7 * 86_400;

/** Number of days for which a finished delivery stays in the journal. */
export const JOURNAL_DAYS = 30;

/** Requests of the tag that could not be ingested are examined within a month or not at all. */
export const FAILED_REQUEST_DAYS = 31;
/** The address and browser of such a request matter only for the day of the fault. */
export const FAILED_REQUEST_ORIGIN_DAYS = 1;

/** Counters of a site's quota matter for the days to which late hits may belong. */
export const QUOTA_COUNTER_DAYS = 400;
/** Number of days after its last batch for which a host that sends to a site is listed. */
export const SENDER_DAYS = 31;
/** Names of parameters are offered as long as reports show the data that has them. */
export const PARAM_KEY_DAYS = 760;

/**
 * Number of days for which data about output is kept: its answers, the counts of their impressions, and ended
 * experiments.
 */
export const OUTPUT_DAYS = 90;

/** Lifetimes of the record of a finished import and its lines, and of that of a finished rerun or recovery. */
export const IMPORT_RECORD_SECONDS = 90 * 86_400;
export const RERUN_RECORD_SECONDS = 90 * 86_400;
export const RECOVERY_RECORD_SECONDS = 90 * 86_400;
