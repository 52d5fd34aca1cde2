/**
 * Program for a test: reads a bundle while this process has no file handle left, and once more after a second, when it
 * has some again; prints both texts as JSON.
 */
import { closeSync, openSync } from 'node:fs';
import { createBundles } from '../../../api/tag/bundles.ts';

let now = 0;
const bundles = createBundles(process.argv[2] ?? '', () => now);
const read = async (): Promise<string | null> => (await bundles.read('tag.js'))?.plain.bytes.toString() ?? null;

const handles: number[] = [];
try {
  for (;;) handles.push(openSync('/dev/null', 'r'));
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
}
const without = await read();
for (const handle of handles) closeSync(handle);
now += 1_000;
process.stdout.write(JSON.stringify([without, await read()]));
