/**
 * Measures the loudness of a recording, and runs a voice detector over it part by part, so that memory and disk use do
 * not grow with its length.
 */
import { join } from 'node:path';
import { VoiceDetectorError } from '../errors.ts';
import type { CallContext, Measured, TimeSpan, VoiceDetector } from '../types.ts';
import { withWorkFolder } from '../../platform/disk/workDir.ts';
import { decodePart, measureAudio } from './soundFile.ts';

/** 10 MB of raw sound; a whole number of the detector's pieces of 512 samples. */
const PART_SEC = 300;

export interface MeasureSoundOptions {
  /** Absolute path of the ffmpeg program. */
  ffmpegPath: string;
  /** A swept folder, see platform/disk/workDir.ts: the audio itself may be in a read-only place. */
  workDir: string;
  /** Null: only the loudness is measured. */
  voiceDetector: VoiceDetector | null;
}

/**
 * Measures a whole recording. `voices` is null without a detector, and if it fails.
 * @param audioPath mono 16 kHz FLAC
 * @throws the fault of reading the audio, or the signal's reason
 */
export async function measureSound(
  { ffmpegPath, workDir, voiceDetector }: MeasureSoundOptions,
  audioPath: string,
  context: CallContext,
): Promise<Measured> {
  const loudness = await measureAudio(ffmpegPath, audioPath, context);
  if (voiceDetector === null) return { ...loudness, voices: null };
  const voices = await withWorkFolder(workDir, (dir) =>
    findVoices(voiceDetector, { ffmpegPath, audioPath, durationSec: loudness.durationSec, dir }, context),
  );
  return { ...loudness, voices };
}

interface Recording {
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
async function findVoices(
  detector: VoiceDetector,
  recording: Recording,
  context: CallContext,
): Promise<TimeSpan[] | null> {
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
