/** Limits of decoding a picture: a small file may hold a picture of any size. */

/** Options of sharp. */
export const DECODING_LIMITS = { limitInputPixels: 50_000_000, failOn: 'error' as const };
export const DECODING_SECONDS = 20;
