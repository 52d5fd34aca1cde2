import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linkTessdata } from '../../../../providers/builtin/vision/tessdata.ts';

const { TMPDIR } = process.env;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-test-'));
});
afterEach(async () => {
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  await rm(folder, { recursive: true });
});

/** The longest path on Linux has 4,095 bytes; a folder fits below this one, but no file in that folder. */
function longFolder(): string {
  const path = join(folder, ...Array.from({ length: 40 }, () => 'a'.repeat(99)));
  return join(path, 'b'.repeat(4_060 - path.length - 1));
}

describe('the folder with the data of the OCR engine', () => {
  it('is removed if a language cannot be linked', async () => {
    const temporary = longFolder();
    await mkdir(temporary, { recursive: true });
    process.env['TMPDIR'] = temporary;
    await expect(linkTessdata([])).rejects.toThrow('ENAMETOOLONG');
    expect(await readdir(temporary)).toEqual([]);
  });

  it('is not created if the data of a language cannot be examined', async () => {
    const [data, temporary] = [join(folder, 'data'), join(folder, 'temporary')];
    for (const path of [data, temporary]) await mkdir(path);
    await symlink('rus.traineddata', join(data, 'rus.traineddata'));
    process.env['TMPDIR'] = temporary;
    await expect(linkTessdata([data])).rejects.toThrow('ELOOP');
    expect(await readdir(temporary)).toEqual([]);
  });

  it('lacks a language without data', async () => {
    const { languages, remove } = await linkTessdata([join(folder, 'missing'), import.meta.filename]);
    expect(languages).toEqual(['eng']);
    await remove();
  });
});
