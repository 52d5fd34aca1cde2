/**
 * Decides when a site has used up its daily quota of recordings, and which recordings count. The quotas themselves are
 * in domain/sites/siteQuotas.ts.
 */

/** The response to the tag: record or continue; or begin no recording today, because the daily quota is used up. */
export type RecordingReply = 'on' | 'full';

/** Shorter recordings do not count in the daily quota. */
export const COUNTED_MS = 5_000;

/** A recording with more chunks counts, whatever times they claim: the tag sends two or three in five seconds. */
export const SHORT_MAX_CHUNKS = 10;

/**
 * A recording that has been silent for this long is not expected to reach {@link COUNTED_MS}; the tag sends every five
 * seconds.
 */
export const YOUNG_SECONDS = 60;

/** Short recordings do not count, but are limited: this many times the quota may begin in a day. */
const BEGUN_PER_COUNTED = 10;

export interface RecordingQuota {
  recordings_per_day: number;
}

export interface RecordedBytes {
  ofSite: number;
  ofSender: number;
}

export interface ByteQuota {
  recording_mb_per_day: number;
  recording_mb_per_address: number;
}

const MEGABYTE = 1_024 * 1_024;

/**
 * Returns true when no more chunks are accepted today. Recordings that have begun end too, because their bytes fill the
 * disk like any others.
 */
export function areBytesFull({ ofSite, ofSender }: RecordedBytes, quota: ByteQuota): boolean {
  return ofSite >= quota.recording_mb_per_day * MEGABYTE || ofSender >= quota.recording_mb_per_address * MEGABYTE;
}

/** The recordings that a site has begun in a Moscow day. */
export interface RecordingsOfDay {
  /** Number of visits with a recording of 5 s or more, in however many tabs. */
  counted: number;
  /** Number of visits with only shorter ones that may still reach that length. */
  young: number;
  /** Number of recordings, however short. */
  begun: number;
}

/**
 * Returns true when a site has used up its quota of recordings for the day.
 * @param isOfVisit true for a further tab of a visit that is already recorded
 */
export function isDayFull(
  { counted, young, begun }: RecordingsOfDay,
  { recordings_per_day: quota }: RecordingQuota,
  isOfVisit = false,
): boolean {
  return (!isOfVisit && counted + young >= quota) || begun >= quota * BEGUN_PER_COUNTED;
}
