/**
 * Entry of the OCR thread. It hosts tesseract.js, which in turn runs its engine in another thread. The host exists
 * because tesseract.js 7 never settles `createWorker` if the language data is bad, and an engine that runs out of
 * memory raises an uncaught error: here either one ends only this thread.
 */
import { workerData } from 'node:worker_threads';
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { serve } from '../threads/serve.ts';
import { detectLanguage } from '../text/detectLanguage.ts';
import { inOneScript, needsLatinReading, withLatinReading } from './ocrScript.ts';
import { readableText, type OcrBlock } from './ocrText.ts';
import { betterReading, pictureForSecondPass } from './ocrSecondPass.ts';
import { toPageCoordinates, linesInDoubt } from './ocrLines.ts';
import { enlargedPrint } from './ocrPrint.ts';
import {
  isPageOnItsSide,
  isUpright,
  SIDEWAYS,
  stripesOf,
  rotationOfMiddle,
  rotatePicture,
  rotationsToTry,
} from './ocrRotation.ts';

export interface OcrThreadData {
  folder: string;
  languages: string[];
}

export interface OcrJob {
  path: string;
  /** The picture may lie on its side or upside down. */
  mayBeRotated: boolean;
}

const { folder, languages } = workerData as OcrThreadData;
let engine: Promise<Worker> | undefined;
/** Reads only Latin, for words whose alphabet is in doubt. */
let latinEngine: Promise<Worker> | undefined;

/** Ends this thread if the engine cannot start, with what was started of it; the next picture starts another thread. */
function startEngine(read: string[]): Promise<Worker> {
  const starting = new Promise<Worker>((resolve, reject) => {
    const options = { langPath: folder, cacheMethod: 'none', gzip: true, errorHandler: reject };
    createWorker(read, OEM.LSTM_ONLY, options).then(resolve, reject);
  });
  return starting.catch(() => process.exit());
}

serve(async ({ path, mayBeRotated }: OcrJob): Promise<string | null> =>
  trusted(readableText(await (mayBeRotated ? readUpright(path) : readTwice(path)))),
);

/** Reads a picture that may lie on its side or upside down. */
async function readUpright(path: string): Promise<OcrBlock[]> {
  const stripes = await stripesOf(path);
  const page = isPageOnItsSide(stripes) ? await rotationOfMiddle(path, SIDEWAYS, read) : null;
  if (page !== null) return readTwice(await rotatePicture(path, page));
  const asItIs = await readTwice(path);
  const rotations = rotationsToTry(asItIs, stripes);
  const right = rotations.length > 1 ? await rotationOfMiddle(path, rotations, read) : null;
  for (const rotation of right === null ? rotations : [right]) {
    const blocks = await readTwice(await rotatePicture(path, rotation));
    if (isUpright(blocks)) return blocks;
  }
  return asItIs;
}

/**
 * Reads a picture, and once more if it was not read well. The alphabets are decided only in the result that is kept,
 * because that may take another pass.
 * @param picture its path, or the picture itself
 */
async function readTwice(picture: string | Buffer): Promise<OcrBlock[]> {
  const page = (await enlargedPrint(picture)) ?? picture;
  const plain = await readOnce(page);
  const again = await pictureForSecondPass(plain, page);
  if (again === null) return inOneScript(await settleScripts(plain, page));
  const second = await readOnce(again);
  const [blocks, from] = betterReading(plain, second) === second ? [second, again] : [plain, page];
  return inOneScript(await settleScripts(blocks, from));
}

/** @param picture its path, or the picture itself */
async function read(picture: string | Buffer): Promise<OcrBlock[]> {
  return inOneScript(await settleScripts(await readOnce(picture), picture));
}

async function readOnce(picture: string | Buffer): Promise<OcrBlock[]> {
  engine ??= startEngine(languages);
  return readBlocks(await engine, picture);
}

async function readBlocks(worker: Worker, picture: string | Buffer): Promise<OcrBlock[]> {
  const { data } = await worker.recognize(picture, {}, { blocks: true, text: false });
  return (data.blocks ?? []) as OcrBlock[];
}

async function settleScripts(blocks: OcrBlock[], picture: string | Buffer): Promise<OcrBlock[]> {
  if (!languages.includes('rus') || !languages.includes('eng') || !needsLatinReading(blocks)) return blocks;
  latinEngine ??= startEngine(['eng']);
  const lines = await linesInDoubt(blocks, picture);
  const latin = await readBlocks(await latinEngine, lines?.picture ?? picture);
  return withLatinReading(blocks, lines === null ? latin : toPageCoordinates(latin, lines.copies));
}

/** Without Russian data the engine confidently reads «Отчёт» as "OTYET": only clearly English text is kept then. */
function trusted(text: string | null): string | null {
  if (text === null || languages.includes('rus')) return text;
  return detectLanguage(text.toLowerCase()) === 'en' ? text : null;
}
