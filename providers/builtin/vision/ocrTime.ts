/** How long the recognition of text in pictures may take: in one picture, and in all frames of a call. */

/** Time limit of one picture, with the start of the engine. */
export const PICTURE_MS = 30_000;
/**
 * OCR time for the first frame of a call and for each additional one; a frame may use up that of others. A page takes a
 * second or two, noise up to half a minute: without the limit, a medium of 60 such frames would occupy the only reader
 * for half an hour; with it, for ten minutes.
 */
const [FIRST_READING_MS, READING_MS] = [30_000, 7_000];
/** With less time than this left, no page can be read. */
const MIN_LEFT_MS = 2_000;

/**
 * The time that reading several pictures may take in all. Each reading reduces it; waiting for other readings does
 * not.
 */
export interface OcrBudget {
  leftMs: number;
}

/** Returns the time for the frames of a call. */
export function newOcrBudget(frames: number): OcrBudget {
  return { leftMs: FIRST_READING_MS + (frames - 1) * READING_MS };
}

export function hasTimeLeft({ leftMs }: OcrBudget): boolean {
  return leftMs >= MIN_LEFT_MS;
}
