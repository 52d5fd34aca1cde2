/** Entry of the thread that detects voices. The network is loaded with the first job. */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { readCheckedFile } from '../threads/checkedFile.ts';
import { serve } from '../threads/serve.ts';
import { VOICE_FILE } from './voiceDetectorFile.ts';
import { createVoiceNetwork, initialState, type VoiceNetwork, type VoiceState } from './voiceNetwork.ts';
import { readOnnx } from './readOnnxWeights.ts';

export interface VoiceThreadData {
  /** Folder of the detector's file. */
  folder: string;
}

export interface VoiceRequest {
  /** Raw mono sound: 16,000 signed 16-bit numbers a second. */
  pcmPath: string;
  /** State at the end of the previous sound; null at the start. */
  state: VoiceState | null;
}

export interface VoiceReply {
  chances: Float32Array;
  state: VoiceState;
}

const { folder } = workerData as VoiceThreadData;
let network: VoiceNetwork | undefined;

serve(({ pcmPath, state }: VoiceRequest): VoiceReply => {
  network ??= load();
  const next = state ?? initialState();
  const chances = network(readSamples(pcmPath), next);
  return { chances, state: next };
});

function load(): VoiceNetwork {
  return createVoiceNetwork(readOnnx(readCheckedFile(folder, VOICE_FILE)));
}

function readSamples(path: string): Float32Array {
  const content = readFileSync(path);
  const samples = new Float32Array(Math.floor(content.length / 2));
  for (let at = 0; at < samples.length; at += 1) samples[at] = content.readInt16LE(at * 2) / 32_768;
  return samples;
}
