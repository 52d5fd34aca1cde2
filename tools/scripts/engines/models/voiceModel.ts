/**
 * The voice detector for speech recognition: weights from a Python package (MIT), which the product reads itself.
 * Optional: without it the audio for a recogniser is selected by loudness alone, and the start reports that.
 */
import { dirname } from 'node:path';
import { VOICE_FILE } from '../../../../providers/builtin/voice/voiceDetectorFile.ts';
import { resolveOptionalModel } from './optionalModel.ts';
import type { EngineContext, Found } from '../fetch/sources.ts';
import { fetchWheel, type Wheel } from '../fetch/wheel.ts';

const WHEEL: Wheel = {
  name: 'silero-vad',
  version: '6.2.3',
  files: {
    any: {
      sha256: '7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8',
      megabytes: 11,
      program: `silero_vad/data/${VOICE_FILE.name}`,
    },
  },
};

/** Path of the file's licence, relative to its folder. */
export const LICENCE = '../../silero_vad-6.2.3.dist-info/licenses/LICENSE';

/** Returns the folder of the file, or the reason why there is none. */
export async function fetchVoiceModel(context: EngineContext, timeoutMs?: number): Promise<Found> {
  const found = await fetchWheel(WHEEL, context, timeoutMs);
  return 'path' in found ? { path: dirname(found.path) } : found;
}

/** Returns the folder of the detector's file. The first call downloads 11 MB. */
export function resolveVoiceModel(context: EngineContext): Promise<string | null> {
  return resolveOptionalModel(
    {
      setting: 'VOICE_MODEL_DIR',
      label: 'voices',
      without: 'parts with speech will be found by loudness alone',
      files: VOICE_FILE.name,
      fetch: fetchVoiceModel,
    },
    context,
  );
}
