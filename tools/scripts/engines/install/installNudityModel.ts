/**
 * Process that installs the files of the nudity classifier, and their licence, into the given folder. The image is
 * built with it.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNudityModel } from '../models/nudityModel.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node tools/scripts/engines/install/installNudityModel.ts <folder>');

const cacheDir = await mkdtemp(join(tmpdir(), 'attune-tarballs-'));
try {
  const found = await fetchNudityModel({ env: process.env, report: console.log, cacheDir });
  if ('reason' in found) throw new Error(`the nudity model could not be fetched: ${found.reason}`);
  await cp(found.path, folder, { recursive: true });
} finally {
  await rm(cacheDir, { recursive: true, force: true });
}
