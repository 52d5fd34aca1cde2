/**
 * Limits that several kinds of answers share; anything beyond is left out, or the answer is refused. A model manipulated
 * into writing without end would otherwise fill tables, webhooks and pages. The limits of one kind of answer are beside
 * the code that reads it.
 */

/** Ten times the largest useful answer in words: ten minutes of speech with the time and the tokens of each word. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Larger than 512 vectors of 4,096 numbers, the largest answer ever requested. */
export const MAX_VECTORS_BYTES = 96 * 1024 * 1024;

/**
 * Maximum for the transcript of each second. Speech has 15 to 25 characters a second and the fastest rap twice as many;
 * a model that marks each word makes three or four segments of them.
 */
const SPOKEN_PER_SEC = { characters: 50, segments: 5 } as const;
/** Maximum for a piece of a few seconds, whose length is not exactly that of its words. */
const SPOKEN_IN_MOMENT = { characters: 1_000, segments: 100 } as const;

/**
 * A transcript is read up to this multiple of what can be said, because hallucinated repetitions are dropped before the
 * rest is cut. A model writes at most about twice as much as can be said. Distinguishing speech from inventions takes
 * time for each segment, so an answer of 8 MiB is not read whole.
 */
export const READ_FACTOR = 4;

/** Returns the maximum of what can be said in a piece of a recording. */
export function maxSpoken(seconds: number): Record<keyof typeof SPOKEN_PER_SEC, number> {
  return {
    characters: Math.max(SPOKEN_IN_MOMENT.characters, Math.ceil(SPOKEN_PER_SEC.characters * seconds)),
    segments: Math.max(SPOKEN_IN_MOMENT.segments, Math.ceil(SPOKEN_PER_SEC.segments * seconds)),
  };
}

/** Returns the trimmed text, cut at the limit with an ellipsis. */
export function bounded(text: string, limit: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= limit) return trimmed;
  // A code point has at most two units. Only one more than the limit is split off a text that is far too long.
  const characters = Array.from(trimmed.slice(0, 2 * (limit + 1)));
  return characters.length <= limit ? trimmed : `${characters.slice(0, limit - 1).join('')}…`;
}
