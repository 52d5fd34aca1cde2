import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { resolveTextReaders } from '../../../../../tools/scripts/engines/models/textReaders.ts';

let cacheDir: string;
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'attune-readers-cache-'));
});
afterAll(() => rm(cacheDir, { recursive: true }));

it('readers use settings as they are, are left out if they cannot be fetched, and the message says what that means and what helps', async () => {
  const lines: string[] = [];
  const env = { PATH: '/nowhere', RUSSIAN_WORDS_DIR: ' /opt/words ' };
  const found = await resolveTextReaders({ env, report: (line) => lines.push(line), cacheDir });
  expect(found).toEqual({ russianNetworks: null, russianWords: '/opt/words', english: null });
  expect(lines.toSorted()).toEqual([
    'English network: tags will be single words, and names will be found by their capital letters (no python3 on the PATH): set ENGLISH_NETWORK_DIR to a folder with its files',
    'Russian networks: tags will be single words, and names will be found by their capital letters (no python3 on the PATH): set RUSSIAN_NETWORKS_DIR to a folder with its files',
  ]);
});
