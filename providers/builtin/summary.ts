import { ProviderError } from '../errors.ts';
import type { SummaryCapability, SummaryInput } from '../types.ts';
import type { TextReader } from './reading/reading.ts';
import { builtinResult } from './builtinResult.ts';
import { summaryModel } from './modelVersions.ts';
import type { TopicNearness } from './topics/topicNearness.ts';
import { beginningOf, hideContacts } from './text/hideContacts.ts';
import { zonesOf } from './text/weightedTextZones.ts';
import type { TextRunner } from './textRunner.ts';

/**
 * Creates an extractive summary with tags, topics, entities, language and minimum age, and chapters of a recording
 * where its vocabulary changes. Fails with `no_content` (permanent) if the item has no words.
 * @param nearness null without vectors of meaning
 */
export function createSummary(
  runner: TextRunner,
  reading: TextReader,
  nearness: TopicNearness | null,
): SummaryCapability {
  const model = summaryModel(reading.languages, nearness !== null);
  const chaptersModel = summaryModel(reading.languages, false);
  return {
    model,
    async run(item, context) {
      // Masked at equal length, so that places in the text stay valid.
      const texts = zonesOf(item).zones.map(({ text }) => hideContacts(text));
      const reads = reading.languages.length > 0 ? await reading.read(texts, context) : [];
      const closeness = (await nearness?.similaritiesOf(item, context)) ?? null;
      const outcome = await runner.run('summary', { item, reads, closeness }, charactersOf(item), context);
      if (outcome === null) throw new ProviderError('permanent', 'no_content', 'there is no text to summarise');
      return builtinResult(model, outcome.summary, outcome.warnings);
    },
    chapters: {
      model: chaptersModel,
      async run(input, context) {
        const characters = input.segments.reduce((sum, { text }) => sum + text.length, 0);
        const parts = await runner.run('parts', input, characters, context);
        const reads =
          parts.length > 0 && reading.languages.length > 0
            ? await reading.read(
                parts.map(({ text }) => hideContacts(beginningOf(text, TITLED_CHARACTERS))),
                context,
              )
            : [];
        return builtinResult(chaptersModel, await runner.run('titles', { parts, reads }, characters, context));
      },
    },
  };
}

/**
 * Number of characters from the beginning of a recording's part from which its title is made. There are at most fifteen
 * parts, so this stays below the maximum that is read of one item, and takes half a second at most.
 */
const TITLED_CHARACTERS = 4_000;

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
