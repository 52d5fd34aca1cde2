/** How long things are kept that are over, or that nobody names any more. */

/** Signed links to frames end after so long. */
export const LINK_LIFETIME_SECONDS = 3_600;

/**
 * Blobs that were replaced stay for the links that lead to them, and as long again for the answers
 * that carry such links from caches and for the analysis that has just read their keys.
 */
export const REPLACED_BLOBS_SECONDS = 2 * LINK_LIFETIME_SECONDS;

/** An attempt to prepare a medium stores what it wrote long before this, or never (domain/queues.ts). */
export const UNSTORED_BLOBS_SECONDS = 86_400;

/** The file of an import that is over: long enough to look at what its errors are about. */
export const IMPORT_FILE_SECONDS = 7 * 86_400;

/** Days that a finished delivery stays in the journal. */
export const JOURNAL_DAYS = 30;

/** Days that output is known for: its answers, what their impressions were counted as, and experiments that are over. */
export const OUTPUT_DAYS = 90;

/** What an import that is over says of itself and its lines; and what a rerun or a recovery that is over says. */
export const IMPORT_RECORD_SECONDS = 90 * 86_400;
export const RERUN_RECORD_SECONDS = 90 * 86_400;
export const RECOVERY_RECORD_SECONDS = 90 * 86_400;
