/** The same sound is read once in tests that make many attempts at the same recordings. */
import { measureSound } from '../../../../providers/sound/measureSound.ts';
import type { Measured } from '../../../../providers/types.ts';
import { callContext } from '../support.ts';

/** Returns the value of a key, which is made once. */
export function once<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const result = made.get(key) ?? make();
  made.set(key, result);
  return result;
}

const measurements = new Map<string, Promise<Measured>>();

/** Measures a recording without a voice detector, as the product does before it asks for speech; each path once. */
export function measuredOf(ffmpegPath: string, audioPath: string): Promise<Measured> {
  // Only a voice detector needs a folder.
  const measuring = { ffmpegPath, workDir: '', voiceDetector: null };
  return once(measurements, audioPath, () => measureSound(measuring, audioPath, callContext()));
}
