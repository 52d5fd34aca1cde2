import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chooseCacheDir, ensureEntry } from '../../../../../tools/scripts/engines/fetch/cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entry = (text: string, fills: string[] = []) => ({
  name: 'tool-1.0',
  sha256: 'pin',
  files: ['bin/tool'],
  async fill(target: string) {
    fills.push(target);
    await mkdir(join(target, 'bin'));
    await writeFile(join(target, 'bin', 'tool'), text);
  },
});

describe('chooseCacheDir', () => {
  it('prefers the setting, then the XDG folder, then the home folder, then the data folder', async () => {
    const env = {
      ATTUNE_CACHE_DIR: join(folder, 'a'),
      XDG_CACHE_HOME: join(folder, 'b'),
      HOME: join(folder, 'c'),
      ATTUNE_DATA_DIR: join(folder, 'd'),
    };
    expect(await chooseCacheDir(env)).toBe(join(folder, 'a'));
    expect(await chooseCacheDir({ ...env, ATTUNE_CACHE_DIR: '' })).toBe(join(folder, 'b', 'attune'));
    expect(await chooseCacheDir({ HOME: env.HOME, ATTUNE_DATA_DIR: env.ATTUNE_DATA_DIR })).toBe(
      join(folder, 'c', '.cache', 'attune'),
    );
    expect(await chooseCacheDir({ ATTUNE_DATA_DIR: env.ATTUNE_DATA_DIR })).toBe(join(folder, 'd', 'cache'));
  });

  it('skips a home folder that cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(await chooseCacheDir({ HOME: join(folder, 'file'), ATTUNE_DATA_DIR: folder })).toBe(join(folder, 'cache'));
  });

  it('names the fix when no folder can be written', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(chooseCacheDir({ ATTUNE_CACHE_DIR: join(folder, 'file', 'x') })).rejects.toThrow(
      'set ATTUNE_CACHE_DIR',
    );
  });
});

describe('ensureEntry', () => {
  it('fills once', async () => {
    const fills: string[] = [];
    const path = await ensureEntry(folder, entry('x', fills));
    expect(await ensureEntry(folder, entry('y', fills))).toBe(path);
    expect(await readFile(join(path, 'bin', 'tool'), 'utf8')).toBe('x');
    expect(fills).toHaveLength(1);
  });

  it('lets simultaneous starts all succeed, and leaves one whole entry', async () => {
    const paths = await Promise.all([
      ensureEntry(folder, entry('x')),
      ensureEntry(folder, entry('x')),
      ensureEntry(folder, entry('x')),
    ]);
    expect(new Set(paths)).toEqual(new Set([join(folder, 'tool-1.0')]));
    expect(await readdir(folder)).toEqual(['tool-1.0']);
  });

  it('fills again what was damaged or belongs to another pin', async () => {
    const path = await ensureEntry(folder, entry('whole'));
    await writeFile(join(path, 'bin', 'tool'), 'cut');
    await ensureEntry(folder, entry('whole'));
    expect(await readFile(join(path, 'bin', 'tool'), 'utf8')).toBe('whole');
    await ensureEntry(folder, { ...entry('newer'), sha256: 'other pin' });
    expect(await readFile(join(path, 'bin', 'tool'), 'utf8')).toBe('newer');
    expect(await readdir(folder)).toEqual(['tool-1.0']);
  });

  it('leaves nothing of a failed fill', async () => {
    const failing = { ...entry('x'), fill: () => Promise.reject(new Error('no line')) };
    await expect(ensureEntry(folder, failing)).rejects.toThrow('no line');
    expect(await readdir(folder)).toEqual([]);
  });

  it('removes the remains of a killed start, but not those of one that may be running', async () => {
    const day = new Date(Date.now() - 24 * 3_600_000);
    await mkdir(join(folder, '.staging-1-old'));
    await utimes(join(folder, '.staging-1-old'), day, day);
    await mkdir(join(folder, '.staging-2-new'));
    await ensureEntry(folder, entry('x'));
    expect((await readdir(folder)).sort()).toEqual(['.staging-2-new', 'tool-1.0']);
  });
});
