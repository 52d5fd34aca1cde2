import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { gzipStored } from '../../../clients/tag/record/gzip.ts';

it('a gzip reader can read what the built-in gzip writes', () => {
  for (const size of [0, 1, 65_535, 65_536, 200_000]) {
    const sample = 'я'.repeat(size / 2) + 'x'.repeat(size % 2);
    expect(gunzipSync(gzipStored(sample)).toString()).toBe(sample);
  }
});
