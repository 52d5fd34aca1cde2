import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { TAG_DIST } from '../../../tools/scripts/tag/build.ts';

const read = (name: string): string => readFileSync(join(TAG_DIST, name), 'utf8');

describe('the bundles', () => {
  it('keep tag.js under 10 KB gzipped', () => {
    const bytes = gzipSync(read('tag.js'), { level: 9 }).length;
    console.log(`tag.js: ${bytes} bytes gzipped`);
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(10 * 1024);
  });

  it('keep the recorder, which is loaded only on demand, out of tag.js', () => {
    expect(read('tag.js')).not.toMatch(/rrweb|maskAllInputs/);
    expect(read('tag-record.js')).toMatch(/^\/\*! Contains rrweb, MIT licence/);
  });

  it('run under a strict policy, because they create no code from text', () => {
    for (const name of ['tag.js', 'tag-record.js'])
      expect(read(name)).not.toMatch(/\beval\s*\(|new Function\b|document\.write\b/);
  });

  it('are not rebuilt if nothing has changed', async () => {
    const times = (): number[] => ['tag.js', 'tag-record.js'].map((name) => statSync(join(TAG_DIST, name)).mtimeMs);
    const before = times();
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, '../../../tools/scripts/tag.ts'),
    ]);
    expect(stdout).toMatch(/tag\.js: \d+ bytes, \d+ gzipped/);
    expect(times()).toEqual(before);
  });
});
