import { MODERATION_LEVELS, type ModerationLevel } from '../../../domain/analysis/results.ts';

export const CATEGORIES = ['profanity', 'sexual', 'violence', 'drugs', 'self_harm'] as const;
export type Category = (typeof CATEGORIES)[number];
export type FoundLevel = Exclude<ModerationLevel, 'none'>;

/** Returns the more severe of two levels. */
export function moreSevere(a: ModerationLevel, b: ModerationLevel): ModerationLevel {
  return MODERATION_LEVELS.indexOf(a) >= MODERATION_LEVELS.indexOf(b) ? a : b;
}
