/** Entry of the thread of the sentence encoder, which is loaded with the first job. */
import { workerData } from 'node:worker_threads';
import { serve } from '../threads/serve.ts';
import { loadEncoder, type Encoded, type Encoder } from './encoder.ts';

export interface EncoderThreadData {
  /** Folder of the encoder's files. */
  folder: string;
}

/** One result for each text, or the reason why the encoder is unavailable. */
export type EncoderReply = { encoded: Encoded[] } | { fault: string };

const { folder } = workerData as EncoderThreadData;
let encoder: Encoder | undefined;

serve((texts: string[]): EncoderReply => {
  try {
    encoder ??= loadEncoder(folder);
  } catch (error) {
    return { fault: (error as Error).message };
  }
  return { encoded: texts.map(encoder) };
});
