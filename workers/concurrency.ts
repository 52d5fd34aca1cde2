/**
 * How many activities of a queue the process analytics runs at a time. Other processes have settings (config.ts), and
 * media have slots (activities/media/mediaSlots.ts).
 */

/**
 * A merge of the lake needs all the memory that DuckDB was given, so only one runs at a time (db/lake/writerTurns.ts).
 * The second slot is for an activity that waits for its turn or needs only PostgreSQL.
 */
export const ANALYTICS_CONCURRENCY = 2;

/** Also the number of report engines: each export uses an engine and holds a whole report in memory. */
export const EXPORTS_CONCURRENCY = 1;

/** The solver has one thread and holds the data of one training in memory. */
export const TRAININGS_CONCURRENCY = 1;
