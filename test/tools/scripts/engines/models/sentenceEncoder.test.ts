import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolveSentenceEncoder } from '../../../../../tools/scripts/engines/models/sentenceEncoder.ts';

let cacheDir: string;
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'attune-encoder-cache-'));
});
afterAll(() => rm(cacheDir, { recursive: true }));

describe('resolveSentenceEncoder', () => {
  it('uses the setting as it is', async () => {
    const env = { SENTENCE_ENCODER_DIR: ' /opt/encoder ' };
    expect(await resolveSentenceEncoder({ env, report: () => {}, cacheDir })).toBe('/opt/encoder');
  });

  it('continues without it if it cannot be fetched, and says what that means and what helps', async () => {
    const lines: string[] = [];
    const context = { env: { PATH: '/nowhere' }, report: (line: string) => lines.push(line), cacheDir };
    expect(await resolveSentenceEncoder(context)).toBeNull();
    expect(lines).toEqual([
      'sentence encoder: vectors will compare words, not meanings (no python3 on the PATH): set SENTENCE_ENCODER_DIR to a folder with its two files',
    ]);
  });
});
