/** Combines speech recognition with subtitles: an author's subtitles are better than a model's transcript. */
import type { CallContext, ProviderResult, SpeechCapability, SpeechInput, Transcript } from './types.ts';

/**
 * Returns the RMS level of each second of a recording in dBFS.
 * @param path mono 16 kHz FLAC
 */
export type MeasureLevels = (path: string, context: CallContext) => Promise<readonly number[]>;

/** Speech that was recorded to be heard is at -35 to -15 dBFS. */
const SOUND_DB = -45;
/** Speech may continue between two cues. */
const NEAR_SEC = 2;
/**
 * The share of the seconds with sound that cues have to cover. Subtitles of a whole film cover a half to two thirds of
 * them, since music and noise count too; a track with only foreign words or signs covers a tenth.
 */
const MIN_COVERED = 0.3;

/**
 * Uses subtitles that cover the speech as the transcript; the recogniser transcribes media with other subtitles or
 * none. Media with subtitles but no sound go to the reader.
 */
export function speechWithSubtitles(
  recogniser: SpeechCapability,
  reader: SpeechCapability,
  measure: MeasureLevels,
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
  measure: MeasureLevels,
  context: CallContext,
): Promise<ProviderResult<Transcript> | null> {
  if (input.audioPath === null || input.subtitlesPath === null) return null;
  const read = await reader.run(input, context).catch(() => null);
  context.signal.throwIfAborted();
  if (read === null || read.value.segments.length === 0) return null;
  return coveredShare(read.value, await measure(input.audioPath, context)) >= MIN_COVERED ? read : null;
}

/** Returns the share of the seconds with sound that are in a segment or near one; 1 if there is no sound. */
function coveredShare({ segments }: Transcript, levels: readonly number[]): number {
  let sounding = 0;
  let covered = 0;
  let next = 0;
  for (const [second, level] of levels.entries()) {
    if (level < SOUND_DB) continue;
    sounding += 1;
    while (next < segments.length && (segments[next]?.end ?? 0) + NEAR_SEC <= second) next += 1;
    const segment = segments[next];
    if (segment && segment.start - NEAR_SEC < second + 1) covered += 1;
  }
  return sounding === 0 ? 1 : covered / sounding;
}
