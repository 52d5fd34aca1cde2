import { describe, expect, it } from '@jest/globals';
import { sharedRead } from '../../../../platform/process/concurrency/sharedRead.ts';

describe('sharedRead', () => {
  it('reads once for all simultaneous callers, and again for the next', async () => {
    let reads = 0;
    const read = sharedRead(async () => (reads += 1));
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    expect(await read()).toBe(2);
  });

  it('gives all of them the error, and the next one another try', async () => {
    let isAway = true;
    const read = sharedRead(async () => {
      if (isAway) throw new Error('away');
      return 1;
    });
    expect((await Promise.allSettled([read(), read()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await read()).toBe(1);
  });
});
