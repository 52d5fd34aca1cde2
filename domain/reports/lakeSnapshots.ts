/** A reader of the lake sees the same state, including files, for this long: a run of a report takes at most 5 minutes. */
export const SNAPSHOT_MINUTES = 15;
