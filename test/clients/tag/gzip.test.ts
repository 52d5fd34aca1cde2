import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { gzipStored } from '../../../clients/tag/record/gzip.ts';

it('the built-in gzip can be read by every gzip reader', () => {
  for (const size of [0, 1, 65_535, 65_536, 200_000]) {
    const sample = 'я'.repeat(size / 2) + 'x'.repeat(size % 2);
    expect(gunzipSync(gzipStored(sample)).toString()).toBe(sample);
  }
});
