/** Maximum sizes of a recording and of its chunks; recordingQuota.ts has the daily quota. */

/** Compressed size; the tag sends no larger chunks (clients/tag/record/chunks.ts). */
export const CHUNK_MAX_BYTES = 1_024 * 1_024;

/** The line of JSON before the compressed part, including its line break. */
export const CHUNK_HEAD_MAX_BYTES = 2_048;

/**
 * Maximum size of a chunk's events as JSON. The tag cuts at a million characters, or after the snapshot of one larger
 * page. One compressed megabyte holds about ten megabytes of text; a chunk with a hundred is an attempt to exhaust
 * memory.
 */
export const CHUNK_MAX_TEXT_BYTES = 32 * 1_024 * 1_024;

/** A chunk every five seconds for seven hours. */
export const RECORDING_MAX_CHUNKS = 5_000;
/** Maximum size of all chunks of a recording: the key is public, so chunks may be forged. */
export const RECORDING_MAX_BYTES = 128 * 1_024 * 1_024;
