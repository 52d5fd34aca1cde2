import type { Capability, Moderation, ModerationInput } from '../types.ts';
import { withoutNone } from './moderation/levelsAndEvidence.ts';
import { beginningOf } from './text/hideContacts.ts';
import { builtinResult } from './builtinResult.ts';
import { MODELS } from './modelVersions.ts';
import type { TextRunner } from './textRunner.ts';

/** Only the beginning of longer evidence is judged, with the warning `text_truncated`. */
const MAX_CHARACTERS = 5_000_000;

/**
 * Judges the text by the lexicons. Pictures are not judged: with frames present, a clean text does not make the item
 * clean. The level is then null (the text categories are still given), with the warning `frames_not_judged`. If only
 * the beginning of the text was judged, or its language is neither Russian nor English, what was not found in it is
 * unknown (null) too.
 */
export function createModeration(runner: TextRunner): Capability<ModerationInput, Moderation> {
  return {
    model: MODELS.moderation,
    async run({ text, frames }, context) {
      const judged = beginningOf(text, MAX_CHARACTERS);
      const found = await runner.run('moderation', judged, judged.length, context);
      const isCut = judged.length < text.length;
      const { level, ...rest } = isCut ? withoutNone(found) : found;
      const isUnseen = frames.length > 0;
      const warnings = [...(isCut ? ['text_truncated'] : []), ...(isUnseen ? ['frames_not_judged'] : [])];
      return builtinResult(
        MODELS.moderation,
        { level: isUnseen && level === 'none' ? null : level, ...rest },
        warnings,
      );
    },
  };
}
