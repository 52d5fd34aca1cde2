/**
 * Process: takes one medium apart, confined, with nothing of the worker's in reach. The first line of standard
 * input is the request; its end is the worker's, and ends this process and its decoder. Answers are lines of JSON.
 */
import { access, constants, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { restrictSharp } from '../../process/sharp.ts';
import { analyseMedium } from './analyseMedium.ts';
import { errorReply, type DecoderRequest } from './decoderMessages.ts';
import type { DecoderReply } from './decoderReply.ts';

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => void answer(JSON.parse(line) as DecoderRequest));
lines.once('close', () => process.exit(1));

async function answer(request: DecoderRequest): Promise<void> {
  restrictSharp();
  const reply = await work(request).catch((error: unknown) => errorReply(error));
  process.stdout.write(`${JSON.stringify(reply)}\n`, () => process.exit(0));
}

async function work(request: DecoderRequest): Promise<DecoderReply> {
  if (request.kind === 'trial') return await tryOut(request);
  const prepared = await analyseMedium({ ...request, onProgress: (progress) => tell({ progress }) });
  return { prepared };
}

/** Whether everything that the work needs can be reached from here. */
async function tryOut({ ffmpegPath, outDir }: DecoderRequest): Promise<DecoderReply> {
  await access(ffmpegPath, constants.X_OK);
  const path = join(outDir, 'trial');
  await writeFile(path, 'trial');
  await rm(path);
  return { works: true };
}

function tell(reply: DecoderReply): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
