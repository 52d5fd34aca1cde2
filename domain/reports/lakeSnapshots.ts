/** A reader of the lake sees the same state, including files, for this long: a report takes at most a minute. */
export const SNAPSHOT_MINUTES = 15;
