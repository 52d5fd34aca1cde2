/**
 * All keys of PostgreSQL's advisory locks: no two locks may have the same one (test/db/lockKeys.test.ts). During an
 * upgrade the previous release holds its locks beside this one, so a key that was part of a release keeps its meaning,
 * and an abandoned one is not used again. Further keys are made of texts (hashtextextended), and
 * migrations/0013_item_list.sql has one whose first half is `AT`.
 */

/** Keys of one number; the next free one follows the last. */
export const LOCK_KEYS = {
  migrate: 4_817_231_905,
  reconciler: 4_817_231_906,
  retention: 4_817_231_907,
  volume: 4_817_231_908,
  /** Held while the lake's tables are created or upgraded (db/lake/versions.ts). */
  lakeSchema: 4_817_231_911,
  /** Turns of the lake's writers (db/lake/writerTurns.ts). */
  lakeTurn: 4_817_231_912,
  lakePrecedence: 4_817_231_913,
  lakeUpkeep: 4_817_231_914,
  popularity: 4_817_231_917,
  /** Turns of counts in PostgreSQL (db/popularity/countPopularity.ts, db/statistics/countStatistics.ts). */
  popularityCount: 4_817_231_918,
  statisticsCount: 4_817_231_919,
  tallies: 4_817_231_921,
  /** Shared the key of `lakeSchema` until the first release with a ledger. */
  ledger: 4_817_231_923,
} as const;

/** First halves of keys of two numbers (db/visits/shards.ts). Those of db/events/windows.ts are hashes of projects. */
export const LOCK_CLASSES = {
  shards: 481_723_191,
  presence: 481_723_192,
} as const;
