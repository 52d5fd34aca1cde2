import type { Capability, Moderation, ModerationInput } from '../types.ts';
import { builtinResult, MODELS } from './result.ts';
import type { TextRunner } from './textRunner.ts';

/** Only the beginning of longer evidence is judged, with the warning `text_truncated`. */
const MAX_CHARACTERS = 5_000_000;

/**
 * Judges the text by the lexicons. Pictures are not judged: with frames present, a clean text does not make the item
 * clean. The level is then null (the text categories are still given), with the warning `frames_not_judged`.
 */
export function createModeration(runner: TextRunner): Capability<ModerationInput, Moderation> {
  return {
    model: MODELS.moderation,
    async run({ text, frames }, context) {
      const judged = text.slice(0, MAX_CHARACTERS);
      const found = await runner.run('moderation', judged, judged.length, context);
      const warnings = judged.length < text.length ? ['text_truncated'] : [];
      if (frames.length === 0) return builtinResult(MODELS.moderation, found, warnings);
      const level = found.level === 'none' ? null : found.level;
      return builtinResult(MODELS.moderation, { ...found, level }, [...warnings, 'frames_not_judged']);
    },
  };
}
