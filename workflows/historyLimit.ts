/**
 * A run with a longer history continues as new. An item may be written constantly during one long step, and the server
 * refuses the 10,000th signal of a run and ends a run of 51,200 events. A page of a rerun or of a recovery adds about
 * twelve events with its pause.
 */
export const MAX_HISTORY_EVENTS = 6_000;
