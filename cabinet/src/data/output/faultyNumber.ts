/**
 * Returns whether the text of a number field in a draft is no number within its bounds: its value is then NaN.
 * @param draft also a part of one
 */
export function hasFaultyNumber(draft: unknown): boolean {
  if (typeof draft === 'object' && draft !== null) return Object.values(draft).some(hasFaultyNumber);
  return Number.isNaN(draft);
}
