/** Recordings of sessions: what limits them. */
import { VISIT_PAUSE_MS } from './visits/rules.ts';

/** Compressed; what the tag does not send beyond. */
export const CHUNK_MAX_BYTES = 1_024 * 1_024;

/** The line of JSON before the compressed part, its line break included. */
export const CHUNK_HEAD_MAX_BYTES = 2_048;

/**
 * Of a chunk's events as JSON. The tag cuts at a million characters, or after the snapshot of one page that is larger; text of
 * one megabyte compressed has some ten, and who sends a hundred wants to fill a memory.
 */
export const CHUNK_MAX_TEXT_BYTES = 32 * 1_024 * 1_024;

/** A chunk every five seconds for seven hours. */
export const RECORDING_MAX_CHUNKS = 5_000;
/** Of all chunks of a recording: the key is public, so somebody may send what nobody did. */
export const RECORDING_MAX_BYTES = 128 * 1_024 * 1_024;

/** Shorter ones are not counted in the day's quota. */
export const COUNTED_MS = 5_000;

/** One of more chunks is counted, whatever times they claim: the tag sends two or three in five seconds. */
export const SHORT_MAX_CHUNKS = 10;

/** One that has said nothing for so long is not expected to reach {@link COUNTED_MS}; the tag sends every five seconds. */
export const YOUNG_SECONDS = 60;

/** Short ones are not counted, but neither are they endless: so many times the quota may begin in a day. */
export const BEGUN_PER_COUNTED = 10;

export const FAVOURITE_DAYS = 90;

/** So long after it is removed a recording cannot begin anew, and its blobs are gone. */
export const REMOVED_SECONDS = 86_400;
/** An intake that has begun to store a chunk is done with it by then; the blobs go after. */
export const REMOVED_BLOBS_SECONDS = 600;

/** One that was last heard of so long ago is over: twice the pause that ends a visit. */
export const RUNNING_SECONDS = (2 * VISIT_PAUSE_MS) / 1000;

/** Recordings of a visitor with a shorter pause between them are of one visit. */
export const VISIT_PAUSE_SECONDS = VISIT_PAUSE_MS / 1000;

/** What the tag is told: record or go on; or begin none today, for the day's quota is used up. */
export type RecordingWord = 'on' | 'full';

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

/** Whether no chunk more is taken today: what has begun ends too, for its bytes fill the disk like any other's. */
export function areBytesFull({ ofSite, ofSender }: RecordedBytes, quota: ByteQuota): boolean {
  return ofSite >= quota.recording_mb_per_day * MEGABYTE || ofSender >= quota.recording_mb_per_address * MEGABYTE;
}

/** What a site has begun in a Moscow day. */
export interface RecordingsOfDay {
  /** Visits with a recording of 5 s or more, in however many tabs. */
  counted: number;
  /** Visits of shorter ones alone that may still become so. */
  young: number;
  /** Recordings, however short. */
  begun: number;
}

/**
 * Whether a site has recorded as much in a day as it may.
 * @param isOfVisit whether it is asked for a further tab of a visit that is recorded already
 */
export function isDayFull(
  { counted, young, begun }: RecordingsOfDay,
  { recordings_per_day: quota }: RecordingQuota,
  isOfVisit = false,
): boolean {
  return (!isOfVisit && counted + young >= quota) || begun >= quota * BEGUN_PER_COUNTED;
}
