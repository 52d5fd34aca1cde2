/** Combines speech recognition with subtitles: an author's subtitles are better than a model's transcript. */
import { coverSpeech, type Sound } from './subtitleCover.ts';
import type { CallContext, ProviderResult, SpeechCapability, SpeechInput, Transcript } from './types.ts';

/**
 * Measures a recording.
 * @param path mono 16 kHz FLAC
 */
export type MeasureSound = (path: string, context: CallContext) => Promise<Sound>;

/**
 * Uses subtitles that cover the speech as the transcript; the recogniser transcribes media with other subtitles or
 * none, as a whole: subtitles may be a translation, so a transcript has one source. Media with subtitles but no sound
 * go to the reader.
 */
export function speechWithSubtitles(
  recogniser: SpeechCapability,
  reader: SpeechCapability,
  measure: MeasureSound,
): SpeechCapability {
  return {
    model: recogniser.model,
    skipReason: recogniser.skipReason,
    canTranscribe: (medium) => recogniser.canTranscribe(medium) || reader.canTranscribe(medium),
    async run(input, context) {
      if (input.audioPath === null) return reader.run(input, context);
      return (await authoredTranscript(reader, input, measure, context)) ?? recogniser.run(input, context);
    },
  };
}

/** Returns null if there are no subtitles, or too few for the speech. */
async function authoredTranscript(
  reader: SpeechCapability,
  input: SpeechInput,
  measure: MeasureSound,
  context: CallContext,
): Promise<ProviderResult<Transcript> | null> {
  if (input.audioPath === null || input.subtitlesPath === null) return null;
  const read = await reader.run(input, context).catch(() => null);
  context.signal.throwIfAborted();
  if (read === null || read.value.segments.length === 0) return null;
  return coverSpeech(read.value.segments, await measure(input.audioPath, context)) ? read : null;
}
