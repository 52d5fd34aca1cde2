/** Combines speech recognition with subtitles: an author's subtitles are better than a model's transcript. */
import { ProviderError } from './errors.ts';
import { coversSpeech } from './subtitleCover.ts';
import type { CallContext, Measured, ProviderResult, SpeechCapability, SpeechInput, Transcript } from './types.ts';

/**
 * Measures a recording.
 * @param path mono 16 kHz FLAC
 */
export type MeasureSound = (path: string, context: CallContext) => Promise<Measured>;

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
      const { audioPath } = input;
      if (audioPath === null) return reader.run(input, context);
      const read = await readSubtitles(reader, input, context);
      if (read === null) return recogniser.run(input, context);
      const measured = await measure(audioPath, context);
      return coversSpeech(read.value.segments, measured) ? read : recogniser.run({ ...input, measured }, context);
    },
  };
}

/**
 * Reads subtitles where no recogniser is set up. The transcript is partial, so that the rest of the sound counts as
 * unheard, if the subtitles do not cover the speech or the sound cannot be measured.
 */
export function subtitlesOnly(reader: SpeechCapability, measure: MeasureSound): SpeechCapability {
  return {
    ...reader,
    async run(input, context) {
      const read = await reader.run(input, context);
      if (input.audioPath === null || read.value.isPartial) return read;
      const measured = await measure(input.audioPath, context).catch(nullIfPermanent);
      if (measured !== null && coversSpeech(read.value.segments, measured)) return read;
      return { ...read, value: { ...read.value, isPartial: true } };
    },
  };
}

/** Returns null for an error that would repeat. */
function nullIfPermanent(error: unknown): null {
  if (error instanceof ProviderError && error.kind === 'permanent') return null;
  throw error;
}

/** Returns null if there are no subtitles, or none with words. */
async function readSubtitles(
  reader: SpeechCapability,
  input: SpeechInput,
  context: CallContext,
): Promise<ProviderResult<Transcript> | null> {
  if (input.subtitlesPath === null) return null;
  const read = await reader.run(input, context).catch(() => null);
  context.signal.throwIfAborted();
  return read === null || read.value.segments.length === 0 ? null : read;
}
