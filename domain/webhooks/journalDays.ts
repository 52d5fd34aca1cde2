/** Number of days for which a finished delivery stays in the journal. */
export const JOURNAL_DAYS = 30;
