/**
 * Maximum lengths of the texts in a model's answer, in code points. A model manipulated into writing without end would
 * otherwise fill tables, webhooks and pages.
 */
export const LONGEST = {
  summary: 4_000,
  description: 1_000,
  topic: 100,
  tag: 100,
  entity: 200,
  frame: 2_000,
  ocr: 10_000,
} as const;

/** Returns the trimmed text, cut at the limit with an ellipsis. */
export function bounded(text: string, limit: number): string {
  const trimmed = text.trim();
  // A code point has at most two units, so a text that is far too long is not split into code points.
  if (trimmed.length <= limit) return trimmed;
  const characters = Array.from(trimmed.slice(0, 2 * limit));
  return characters.length <= limit ? trimmed : `${characters.slice(0, limit - 1).join('')}…`;
}
