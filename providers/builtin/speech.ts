import { open } from 'node:fs/promises';
import { ProviderError } from '../errors.ts';
import type { SpeechCapability, Transcript } from '../types.ts';
import { builtinResult } from './builtinResult.ts';
import { MODELS } from './modelVersions.ts';
import { statedLanguage } from './speech/webvtt.ts';
import { languageOfWords } from './text/detectLanguage.ts';
import type { TextRunner } from './textRunner.ts';

const SKIP_REASON = 'no_speech_provider';
/** Four hours of dense captions with word times are under 4 MiB; anything more is not speech. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Turns embedded subtitles into the transcript, with their own times. Without subtitles it fails: this provider has no
 * speech model. The language is that of the words, else the one that the track states. Warnings: `dropped_cues:n` (cues
 * that only describe sounds or have no duration), `subtitles_empty`, `subtitles_truncated`.
 */
export function createSpeech(runner: TextRunner): SpeechCapability {
  return {
    model: MODELS.speech,
    skipReason: SKIP_REASON,
    canTranscribe: ({ hasSubtitles }) => hasSubtitles,
    async run(input, context) {
      context.signal.throwIfAborted();
      if (input.subtitlesPath === null)
        throw new ProviderError('permanent', SKIP_REASON, 'there are no subtitles and no speech model');
      const { text, truncated } = await readStart(input.subtitlesPath);
      const { segments, dropped } = await runner.run(
        'subtitles',
        { vtt: text, durationSec: input.durationSec },
        text.length,
        context,
      );
      const spoken = segments.map((segment) => segment.text).join(' ');
      const transcript: Transcript = {
        language: languageOfWords(spoken, statedLanguage(text)),
        timestamps: 'model',
        text: spoken,
        segments,
        // Subtitles without words say nothing about the sound.
        ...((truncated || (segments.length === 0 && input.audioPath !== null)) && { isPartial: true }),
      };
      const warnings = [
        ...(dropped > 0 ? [`dropped_cues:${dropped}`] : []),
        ...(segments.length === 0 ? ['subtitles_empty'] : []),
        ...(truncated ? ['subtitles_truncated'] : []),
      ];
      return builtinResult(MODELS.speech, transcript, warnings);
    },
  };
}

/** Reads the beginning of a file as UTF-8; failure to read it is worth a retry. */
async function readStart(path: string): Promise<{ text: string; truncated: boolean }> {
  const file = await open(path, 'r').catch(() => {
    throw new ProviderError('retryable', 'subtitles_unreadable', 'the subtitle file cannot be opened');
  });
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return { text: new TextDecoder().decode(buffer.subarray(0, bytesRead)), truncated: size > MAX_BYTES };
  } finally {
    await file.close();
  }
}
