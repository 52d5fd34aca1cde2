import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sweepWorkDir, withWorkFolder } from '../../../platform/disk/workDir.ts';

let folder = '';
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('sweepWorkDir', () => {
  it('removes what ended processes left, and nothing else', async () => {
    folder = await mkdtemp(join(tmpdir(), 'attune-sweep-'));
    const { pid: dead } = spawnSync('true');
    const left = join(folder, `${dead}-AbC123`);
    const living = join(folder, `${process.ppid}-AbC123`);
    const foreign = ['notes.txt', 'photos', '12-angry-men', `${dead}-too-long-a-name`].map((name) =>
      join(folder, name),
    );
    await mkdir(left);
    await mkdir(living);
    for (const path of foreign) await writeFile(path, '');
    await sweepWorkDir(folder);
    expect(existsSync(left)).toBe(false);
    expect([living, ...foreign].every((path) => existsSync(path))).toBe(true);
  });

  it('creates the folder', async () => {
    folder = await mkdtemp(join(tmpdir(), 'attune-sweep-'));
    await sweepWorkDir(join(folder, 'new/inner'));
    expect(existsSync(join(folder, 'new/inner'))).toBe(true);
  });
});

describe('withWorkFolder', () => {
  it('provides a folder with the id of this process in its name, and removes it even if the work fails', async () => {
    folder = await mkdtemp(join(tmpdir(), 'attune-sweep-'));
    let given = '';
    const work = withWorkFolder(folder, async (path) => {
      given = path;
      await writeFile(join(path, 'file'), '');
      throw new Error('the work failed');
    });
    await expect(work).rejects.toThrow('the work failed');
    expect(given).toMatch(new RegExp(`/${process.pid}-[A-Za-z0-9]{6}$`));
    expect(existsSync(given)).toBe(false);
  });
});
