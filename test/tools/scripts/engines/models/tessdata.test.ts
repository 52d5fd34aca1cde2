import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveTessdata } from '../../../../../tools/scripts/engines/models/tessdata.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-ocr-data-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('resolveTessdata', () => {
  it('uses Russian from the setting and English from the packages', async () => {
    await writeFile(join(folder, 'rus.traineddata.gz'), '');
    const dirs = await resolveTessdata({ env: { TESSDATA_DIR: folder }, report: () => {}, cacheDir: folder });
    expect(dirs[0]).toBe(folder);
    expect(await readdir(dirs[1] ?? '')).toContain('eng.traineddata.gz');
  });

  it('always has English, within the time limit of a download', async () => {
    await mkdir(join(folder, 'bin'));
    await mkdir(join(folder, 'cache'));
    await writeFile(join(folder, 'bin', 'apt-get'), '#!/bin/sh\nexec sleep 300\n');
    await chmod(join(folder, 'bin', 'apt-get'), 0o755);
    const lines: string[] = [];
    const context = {
      env: { PATH: `${join(folder, 'bin')}:/bin` },
      report: (line: string) => lines.push(line),
      cacheDir: join(folder, 'cache'),
      fetchTimeoutMs: 300,
    };
    const dirs = await resolveTessdata(context);
    expect(await readdir(dirs[0] ?? '')).toContain('eng.traineddata.gz');
    // The download site cannot be reached from here.
    if (dirs.length === 1) expect(lines).toEqual([expect.stringContaining('set TESSDATA_DIR')]);
  });
});
