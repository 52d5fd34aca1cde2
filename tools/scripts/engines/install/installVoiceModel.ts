/**
 * Process that installs the file of the voice detector, and its licence, into the given folder. The image is built with
 * it; needs pip.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VOICE_FILE } from '../../../../providers/builtin/voice/voiceDetectorFile.ts';
import { fetchVoiceModel, LICENCE } from '../models/voiceModel.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node tools/scripts/engines/install/installVoiceModel.ts <folder>');

const cacheDir = await mkdtemp(join(tmpdir(), 'attune-wheels-'));
try {
  const found = await fetchVoiceModel({ env: process.env, report: console.log, cacheDir });
  if ('reason' in found) throw new Error(`the voice detector could not be fetched: ${found.reason}`);
  await mkdir(folder, { recursive: true });
  await cp(join(found.path, VOICE_FILE.name), join(folder, VOICE_FILE.name));
  await cp(join(found.path, LICENCE), join(folder, 'LICENSE'));
} finally {
  await rm(cacheDir, { recursive: true, force: true });
}
