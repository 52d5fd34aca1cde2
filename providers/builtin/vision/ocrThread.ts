/**
 * Entry of the OCR thread: hosts tesseract.js, which in turn runs its engine in a thread of its own. The host is
 * there because tesseract.js 7 never settles `createWorker` when the language data is bad, and lets an engine that
 * dies of memory raise an uncaught error: here either ends this thread only.
 */
import { workerData } from 'node:worker_threads';
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { serve } from '../threads/serve.ts';
import { detectLanguage } from '../text/language.ts';
import { readableText, type OcrBlock } from './ocrText.ts';

export interface OcrThreadData {
  folder: string;
  languages: string[];
}

const { folder, languages } = workerData as OcrThreadData;
let engine: Promise<Worker> | undefined;

function startEngine(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const options = { langPath: folder, cacheMethod: 'none', gzip: true, errorHandler: reject };
    createWorker(languages, OEM.LSTM_ONLY, options).then(resolve, reject);
  });
}

serve(async (path: string): Promise<string | null> => {
  engine ??= startEngine();
  const { data } = await (await engine).recognize(path, {}, { blocks: true, text: false });
  return trusted(readableText((data.blocks ?? []) as OcrBlock[]));
});

/** Without Russian data the engine reads «Отчёт» as "OTYET", and surely: only what is plainly English is kept then. */
function trusted(text: string | null): string | null {
  if (text === null || languages.includes('rus')) return text;
  return detectLanguage(text.toLowerCase()) === 'en' ? text : null;
}
