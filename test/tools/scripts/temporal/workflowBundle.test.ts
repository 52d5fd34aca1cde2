import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeWorkflowBundle, sourcesHash } from '../../../../tools/scripts/temporal/workflowBundle.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = [
  'workflows',
  'domain',
  'platform/process/temporal/workflowBundle.ts',
  'node_modules/.package-lock.json',
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-bundle-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the bundle of the workflows', () => {
  it('is made once, contains only modules that its key covers, and displaces the oldest bundles', async () => {
    const cache = join(folder, 'cache');
    for (let age = 0; age < 10; age += 1) {
      const old = join(cache, `workflows-${String(age).repeat(64)}`);
      await mkdir(old, { recursive: true });
      await utimes(old, new Date(0), new Date(Date.now() - age * 60_000));
    }
    const path = join(folder, 'workflows.js');
    await writeWorkflowBundle(path, { ATTUNE_CACHE_DIR: cache });
    const code = await readFile(path, 'utf8');
    const modules = [...code.matchAll(/^ +!\*\*\* \.\/(\S+)/gm)].map(([, name = '']) => name.split('/')[0]);
    expect(new Set(modules)).toEqual(new Set(['workflows', 'domain', 'node_modules']));

    const entry = `workflows-${await sourcesHash(ROOT)}`;
    const kept = (await readdir(cache)).sort();
    expect(kept).toHaveLength(8);
    expect(kept).toContain(entry);
    expect(kept).not.toContain(`workflows-${'9'.repeat(64)}`);

    // A second start copies the cached file.
    const marked = `${code}// of the cache\n`.slice(-code.length);
    await writeFile(join(cache, entry, 'workflows.js'), marked);
    await writeWorkflowBundle(path, { ATTUNE_CACHE_DIR: cache });
    expect((await readFile(path, 'utf8')).endsWith('// of the cache\n')).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['cache', 'workflows.js']);
  });

  it.each([
    'workflows/item.ts',
    'domain/jobs/ids.ts',
    'platform/process/temporal/workflowBundle.ts',
    'node_modules/.package-lock.json',
  ])('has another key if %s changes', async (changed) => {
    for (const path of SOURCES) await cp(join(ROOT, path), join(folder, path), { recursive: true });
    const before = await sourcesHash(folder);
    await writeFile(join(folder, changed), `${await readFile(join(folder, changed), 'utf8')}\n`);
    expect(before).toBe(await sourcesHash(ROOT));
    expect(await sourcesHash(folder)).not.toBe(before);
  });

  it('has no key, so it is not cached, if the installed packages are unknown', async () => {
    for (const path of SOURCES.slice(0, -1)) await cp(join(ROOT, path), join(folder, path), { recursive: true });
    expect(await sourcesHash(folder)).toBeNull();
  });
});
