/**
 * Process that installs the text readers, and their licences, into folders below the given one. The image is built with
 * it; needs pip.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fetchTextReader, TEXT_READERS } from '../models/textReaders.ts';

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('usage: node tools/scripts/engines/install/installTextReaders.ts <folder>');

const cacheDir = await mkdtemp(join(tmpdir(), 'attune-wheels-'));
try {
  for (const [key, reader] of Object.entries(TEXT_READERS)) {
    const found = await fetchTextReader(reader, { env: process.env, report: console.log, cacheDir });
    if ('reason' in found) throw new Error(`${reader.name} could not be fetched: ${found.reason}`);
    const folder = join(target, key);
    for (const file of reader.files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(found.path, reader.folder, file), join(folder, file));
    }
    await cp(join(found.path, reader.licence), join(folder, 'LICENSE'));
  }
} finally {
  await rm(cacheDir, { recursive: true, force: true });
}
