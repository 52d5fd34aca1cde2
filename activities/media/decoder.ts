/**
 * Process that decodes one medium, confined and without access to the worker. The first line of standard
 * input is the request; when the worker closes the input, this process and its decoder end. Replies are lines of JSON.
 */
import { access, constants, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { analyseMedium, loadDecoders, type Decoders } from './analyseMedium.ts';
import { errorReply, type DecoderRequest } from './decoderMessages.ts';
import type { DecoderReply } from './decoderReply.ts';

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => void answer(JSON.parse(line) as DecoderRequest));
lines.once('close', () => process.exit(1));

async function answer(request: DecoderRequest): Promise<void> {
  const reply = await work(request).catch((error: unknown) => errorReply(error));
  process.stdout.write(`${JSON.stringify(reply)}\n`, () => process.exit(0));
}

async function work(request: DecoderRequest): Promise<DecoderReply> {
  if (request.kind === 'trial') return await runTrial(request);
  const prepared = await analyseMedium({ ...request, onProgress: (progress) => send({ progress }) }, loadRestricted);
  return { prepared };
}

async function loadRestricted(): Promise<Decoders> {
  const [{ restrictSharp }, decoders] = await Promise.all([
    import('../../platform/process/decoders/sharp.ts'),
    loadDecoders(),
  ]);
  restrictSharp();
  return decoders;
}

/** Checks that everything that the work needs is accessible from here. */
async function runTrial({ ffmpegPath, outDir }: DecoderRequest): Promise<DecoderReply> {
  await loadRestricted();
  await access(ffmpegPath, constants.X_OK);
  const path = join(outDir, 'trial');
  await writeFile(path, 'trial');
  await rm(path);
  return { works: true };
}

function send(reply: DecoderReply): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
