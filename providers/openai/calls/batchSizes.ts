/** How many things are sent in one request, unless less is configured. */

/** The most that may be configured, and the default. */
export const BATCH_SIZES = {
  /** Pictures to be described. */
  vision: { most: 8, usual: 8 },
  /** Pieces of a text. */
  moderation: { most: 32, usual: 32 },
  /** Texts: well below the limit of 2,048, which bounds the answer (512 vectors of 4,096 numbers are about 45 MB). */
  embedding: { most: 512, usual: 512 },
  /** Pictures of which vectors are made. */
  pictures: { most: 64, usual: 8 },
} as const;
