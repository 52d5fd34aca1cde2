import type { ModerationLevel } from '../../types.ts';

export const CATEGORIES = ['profanity', 'sexual', 'violence', 'drugs', 'self_harm'] as const;
export type Category = (typeof CATEGORIES)[number];
export type FoundLevel = Exclude<ModerationLevel, 'none'>;

const ORDER: readonly ModerationLevel[] = ['none', 'low', 'medium', 'high'];

/** The graver of two levels. */
export function graver(a: ModerationLevel, b: ModerationLevel): ModerationLevel {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}
