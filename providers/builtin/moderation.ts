import type { Capability, Moderation, ModerationInput } from '../types.ts';
import { builtinResult, MODELS } from './result.ts';
import type { TextRunner } from './textRunner.ts';

/** Only the beginning of longer evidence is judged, with the warning `text_truncated`. */
const MAX_CHARACTERS = 5_000_000;

/**
 * Judges the text by the lexicons. Pictures are not judged: with frames present, a clean text does not make the item
 * clean. The level is then null (the text categories are still given), with the warning `frames_not_judged`. If only
 * the beginning of the text was judged, what was not found in it is unknown (null) too.
 */
export function createModeration(runner: TextRunner): Capability<ModerationInput, Moderation> {
  return {
    model: MODELS.moderation,
    async run({ text, frames }, context) {
      const judged = text.slice(0, MAX_CHARACTERS);
      const found = await runner.run('moderation', judged, judged.length, context);
      const isCut = judged.length < text.length;
      const warnings = [...(isCut ? ['text_truncated'] : []), ...(frames.length > 0 ? ['frames_not_judged'] : [])];
      const level = found.level === 'none' && warnings.length > 0 ? null : found.level;
      const categories = isCut ? withoutNone(found.categories) : found.categories;
      return builtinResult(MODELS.moderation, { ...found, level, categories }, warnings);
    },
  };
}

function withoutNone(categories: Moderation['categories']): Moderation['categories'] {
  const levels = Object.entries(categories ?? {}).map(([category, level]) => [
    category,
    level === 'none' ? null : level,
  ]);
  return categories && Object.fromEntries(levels);
}
