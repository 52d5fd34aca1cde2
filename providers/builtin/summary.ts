import { ProviderError } from '../errors.ts';
import type { Capability, Summary, SummaryInput } from '../types.ts';
import { builtinResult, MODELS } from './result.ts';
import type { TextRunner } from './textRunner.ts';

/**
 * Extractive summary, keywords, entities, language and least age by rules.
 * Fails with `no_content` (permanent) when the item holds no word.
 */
export function createSummary(runner: TextRunner): Capability<SummaryInput, Summary> {
  return {
    model: MODELS.summary,
    async run(input, context) {
      const outcome = await runner.run('summary', input, charactersOf(input), context);
      if (outcome === null) throw new ProviderError('permanent', 'no_content', 'there is no text to summarise');
      return builtinResult(MODELS.summary, outcome.summary, outcome.warnings);
    },
  };
}

function charactersOf(input: SummaryInput): number {
  const texts = [
    input.title,
    input.description,
    input.body,
    ...input.transcripts,
    ...input.frames.flatMap((frame) => [frame.description, frame.ocrText]),
  ];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
