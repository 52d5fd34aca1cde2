/** Folders stay small enough to read their names at a glance (docs/decisions/layout.md). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..');
const MAX_FILES = 15;

async function countFiles(folder: string): Promise<[folder: string, files: number][]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(folders.map(({ name }) => countFiles(`${folder}/${name}`)));
  return [[folder, entries.length - folders.length], ...below.flat()];
}

it.each(['db', 'domain'])('no folder of %s/ has more than 15 files', async (folder) => {
  const large = (await countFiles(folder)).filter(([, files]) => files > MAX_FILES);
  expect(large).toEqual([]);
});
