/** Speech recognition that does not leave silent media without their subtitles. */
import type { SpeechCapability } from './types.ts';

/** Media with sound go to `recogniser`; media with subtitles alone go to `reader`. */
export function speechWithSubtitles(recogniser: SpeechCapability, reader: SpeechCapability): SpeechCapability {
  return {
    model: recogniser.model,
    skipReason: recogniser.skipReason,
    canTranscribe: (medium) => recogniser.canTranscribe(medium) || reader.canTranscribe(medium),
    run: (input, context) => (input.audioPath === null ? reader : recogniser).run(input, context),
  };
}
