/**
 * Entry of the OCR thread: hosts tesseract.js, which in turn runs its engine in a thread of its own. The host is
 * there because tesseract.js 7 never settles `createWorker` when the language data is bad, and lets an engine that
 * dies of memory raise an uncaught error: here either ends this thread only.
 */
import { workerData } from 'node:worker_threads';
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { serve } from '../threads/serve.ts';
import { detectLanguage } from '../text/language.ts';
import { inOneScript, needsLatinReading, withLatinReading } from './ocrScript.ts';
import { readableText, type OcrBlock } from './ocrText.ts';

export interface OcrThreadData {
  folder: string;
  languages: string[];
}

const { folder, languages } = workerData as OcrThreadData;
let engine: Promise<Worker> | undefined;
/** Reads Latin alone, for words whose alphabet is in doubt. */
let latinEngine: Promise<Worker> | undefined;

function startEngine(read: string[]): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const options = { langPath: folder, cacheMethod: 'none', gzip: true, errorHandler: reject };
    createWorker(read, OEM.LSTM_ONLY, options).then(resolve, reject);
  });
}

serve(async (path: string): Promise<string | null> => {
  engine ??= startEngine(languages);
  const blocks = await readBlocks(await engine, path);
  return trusted(readableText(inOneScript(await settleScripts(blocks, path))));
});

async function readBlocks(worker: Worker, path: string): Promise<OcrBlock[]> {
  const { data } = await worker.recognize(path, {}, { blocks: true, text: false });
  return (data.blocks ?? []) as OcrBlock[];
}

async function settleScripts(blocks: OcrBlock[], path: string): Promise<OcrBlock[]> {
  if (!languages.includes('rus') || !languages.includes('eng') || !needsLatinReading(blocks)) return blocks;
  latinEngine ??= startEngine(['eng']);
  return withLatinReading(blocks, await readBlocks(await latinEngine, path));
}

/** Without Russian data the engine reads «Отчёт» as "OTYET", and surely: only what is plainly English is kept then. */
function trusted(text: string | null): string | null {
  if (text === null || languages.includes('rus')) return text;
  return detectLanguage(text.toLowerCase()) === 'en' ? text : null;
}
