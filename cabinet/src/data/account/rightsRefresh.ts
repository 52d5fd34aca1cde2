/** Polling interval of a user's identity and rights: an open page must close soon after its user has lost a right. */
export const RIGHTS_MS = 30_000;
/** Minimum time between two reads of the rights after refusals: a page may be refused again and again. */
export const MIN_RIGHTS_PAUSE_MS = 5_000;
