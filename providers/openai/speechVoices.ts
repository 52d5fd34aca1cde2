/**
 * Runs a voice detector over a recording part by part, so that memory and disk use do not grow with its length.
 * speechPieces.ts decides which pieces are sent.
 */
import { join } from 'node:path';
import { VoiceDetectorError } from '../errors.ts';
import type { CallContext, VoiceDetector } from '../types.ts';
import { decodePart } from './speechAudio.ts';
import type { Span } from './speechPieces.ts';

/** 10 MB of raw sound; a whole number of the detector's pieces of 512 samples. */
const PART_SEC = 300;

export interface Recording {
  ffmpegPath: string;
  audioPath: string;
  durationSec: number;
  /** Folder for the raw sound of one part. */
  dir: string;
}

/**
 * @returns null if the detector fails; the recording is transcribed without it then
 * @throws the fault of reading the audio, or the signal's reason
 */
export async function findVoices(
  detector: VoiceDetector,
  recording: Recording,
  context: CallContext,
): Promise<Span[] | null> {
  try {
    return await detector.findVoices(partsOf(recording, context), context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof VoiceDetectorError) return null;
    throw error;
  }
}

async function* partsOf(
  { ffmpegPath, audioPath, durationSec, dir }: Recording,
  context: CallContext,
): AsyncGenerator<string> {
  const path = join(dir, 'part.pcm');
  for (let start = 0; start < durationSec; start += PART_SEC) {
    const part = { start, end: Math.min(start + PART_SEC, durationSec) };
    await decodePart(ffmpegPath, audioPath, part, path, context);
    yield path;
  }
}
