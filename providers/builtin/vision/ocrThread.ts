/**
 * Entry of the OCR thread. It hosts tesseract.js, which in turn runs its engine in another thread. The host exists
 * because tesseract.js 7 never settles `createWorker` if the language data is bad, and an engine that runs out of
 * memory raises an uncaught error: here either one ends only this thread.
 */
import { workerData } from 'node:worker_threads';
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { serve } from '../threads/serve.ts';
import { detectLanguage } from '../text/language.ts';
import { inOneScript, needsLatinReading, withLatinReading } from './ocrScript.ts';
import { readableText, type OcrBlock } from './ocrText.ts';
import { betterReading, pictureToReadAgain } from './ocrAgain.ts';

export interface OcrThreadData {
  folder: string;
  languages: string[];
}

const { folder, languages } = workerData as OcrThreadData;
let engine: Promise<Worker> | undefined;
/** Reads only Latin, for words whose alphabet is in doubt. */
let latinEngine: Promise<Worker> | undefined;

function startEngine(read: string[]): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const options = { langPath: folder, cacheMethod: 'none', gzip: true, errorHandler: reject };
    createWorker(read, OEM.LSTM_ONLY, options).then(resolve, reject);
  });
}

serve(async (path: string): Promise<string | null> => {
  const plain = await read(path);
  const again = await pictureToReadAgain(plain, path);
  return trusted(readableText(again === null ? plain : betterReading(plain, await read(again))));
});

/** @param picture its path, or the picture itself */
async function read(picture: string | Buffer): Promise<OcrBlock[]> {
  engine ??= startEngine(languages);
  const blocks = await readBlocks(await engine, picture);
  return inOneScript(await settleScripts(blocks, picture));
}

async function readBlocks(worker: Worker, picture: string | Buffer): Promise<OcrBlock[]> {
  const { data } = await worker.recognize(picture, {}, { blocks: true, text: false });
  return (data.blocks ?? []) as OcrBlock[];
}

async function settleScripts(blocks: OcrBlock[], picture: string | Buffer): Promise<OcrBlock[]> {
  if (!languages.includes('rus') || !languages.includes('eng') || !needsLatinReading(blocks)) return blocks;
  latinEngine ??= startEngine(['eng']);
  return withLatinReading(blocks, await readBlocks(await latinEngine, picture));
}

/** Without Russian data the engine confidently reads «Отчёт» as "OTYET": only clearly English text is kept then. */
function trusted(text: string | null): string | null {
  if (text === null || languages.includes('rus')) return text;
  return detectLanguage(text.toLowerCase()) === 'en' ? text : null;
}
