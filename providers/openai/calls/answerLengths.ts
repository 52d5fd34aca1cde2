/**
 * Maximum lengths of the texts in a model's answer, in code points. A model manipulated into writing without end would
 * otherwise fill tables, webhooks and pages.
 */
export const MAX_LENGTHS = {
  summary: 4_000,
  description: 1_000,
  topic: 100,
  tag: 100,
  entity: 200,
  frame: 2_000,
  ocr: 10_000,
  speaker: 100,
  category: 100,
} as const;

/** Maximum number of categories of a moderation. */
export const MAX_CATEGORIES = 50;

/**
 * Maximum for the transcript of each second. Speech has 15 to 25 characters a second and the fastest rap twice as many;
 * a model that marks each word makes three or four segments of them.
 */
const SPOKEN_PER_SEC = { characters: 50, segments: 5 } as const;
/** Maximum for a piece of a few seconds, whose length is not exactly that of its words. */
const SPOKEN_IN_MOMENT = { characters: 1_000, segments: 100 } as const;

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
  // A code point has at most two units, so a text that is far too long is not split into code points.
  if (trimmed.length <= limit) return trimmed;
  const characters = Array.from(trimmed.slice(0, 2 * limit));
  return characters.length <= limit ? trimmed : `${characters.slice(0, limit - 1).join('')}…`;
}
