import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compileCache } from '../../../../../tools/scripts/engines/fetch/compileCache.ts';

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-compiled-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('compileCache', () => {
  it("is in the product's cache folder, and keeps its contents", async () => {
    const kept = join(folder, 'compiled/v24/module');
    await mkdir(join(kept, '..'), { recursive: true });
    await writeFile(kept, 'code');
    expect(await compileCache({ ATTUNE_CACHE_DIR: folder })).toEqual({ NODE_COMPILE_CACHE: join(folder, 'compiled') });
    expect(await readdir(join(folder, 'compiled/v24'))).toEqual(['module']);
  });

  it('is emptied when it has grown too large', async () => {
    await mkdir(join(folder, 'compiled/v24'), { recursive: true });
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, 'compiled/v24', name), name);
    await compileCache({ ATTUNE_CACHE_DIR: folder }, 3);
    expect(await readdir(folder)).toEqual([]);
  });

  it('respects an existing setting, and is left out where its folder cannot be made', async () => {
    expect(await compileCache({ ATTUNE_CACHE_DIR: folder, NODE_COMPILE_CACHE: '/elsewhere' })).toEqual({});
    await writeFile(join(folder, 'file'), '');
    expect(await compileCache({ ATTUNE_CACHE_DIR: join(folder, 'file/none') })).toEqual({});
  });

  it('never gives a process an outdated version of a file', async () => {
    const module = join(folder, 'module.ts');
    const answers: string[] = [];
    for (const answer of ['old', 'old', 'new']) {
      await writeFile(module, `const answer: string = '${answer}';\nconsole.log(answer);\n`);
      const env = { ...(await compileCache({ ATTUNE_CACHE_DIR: folder })), PATH: process.env['PATH'] ?? '' };
      answers.push((await run(process.execPath, [module], { env })).stdout.trim());
    }
    expect(answers).toEqual(['old', 'old', 'new']);
    expect((await readdir(join(folder, 'compiled'))).length).toBe(1);
  });

  it('does not fail a process that may not write there', async () => {
    const module = join(folder, 'module.ts');
    await writeFile(module, `console.log('works' as string);\n`);
    await writeFile(join(folder, 'compiled'), '');
    await chmod(folder, 0o555);
    const env = { NODE_COMPILE_CACHE: join(folder, 'compiled'), PATH: process.env['PATH'] ?? '' };
    expect((await run(process.execPath, [module], { env })).stdout.trim()).toBe('works');
    await chmod(folder, 0o755);
  });
});
