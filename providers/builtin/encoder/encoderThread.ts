/** Entry of the thread that holds the sentence encoder. It is loaded with the first job. */
import { workerData } from 'node:worker_threads';
import { serve } from '../threads/serve.ts';
import { loadEncoder, type Encoded, type Encoder } from './encoder.ts';

export interface EncoderThreadData {
  /** Of the encoder's files. */
  folder: string;
}

/** One of each text, or why the encoder cannot be had. */
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
