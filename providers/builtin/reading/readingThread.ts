/** Entry of the thread that reads texts. A reader is loaded with the first text of its language. */
import { workerData } from 'node:worker_threads';
import { serve } from '../threads/serve.ts';
import type { ReaderFolders, ReaderLanguage } from './folders.ts';
import { createReaders } from './readers.ts';
import type { Findings, Reader } from './common/types.ts';

export interface ReadRequest {
  texts: readonly string[];
  language: ReaderLanguage;
}

/** The findings in each text, or the reason why the reader is unavailable. */
export type ReadReply = { findings: Findings[] } | { fault: string };

const readerOf = createReaders(workerData as ReaderFolders);

serve(({ texts, language }: ReadRequest): ReadReply => {
  let reader: Reader;
  try {
    reader = readerOf(language);
  } catch (error) {
    return { fault: (error as Error).message };
  }
  return { findings: texts.map((text) => reader.read(text)) };
});
