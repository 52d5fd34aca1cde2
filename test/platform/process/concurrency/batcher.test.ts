import { describe, expect, it } from '@jest/globals';
import { Batcher } from '../../../../platform/process/concurrency/batcher.ts';

/** Returns a batcher whose first batch runs until the test ends it, and the list of its batches. */
function held(maxSize: number, queueOf?: (input: string) => string) {
  const batches: string[][] = [];
  const first = Promise.withResolvers<void>();
  const batcher = new Batcher<string, string>(
    maxSize,
    async (inputs) => {
      batches.push([...inputs]);
      if (batches.length === 1) await first.promise;
      return inputs.map((input) => input.toUpperCase());
    },
    queueOf,
  );
  return { batcher, batches, goOn: first.resolve };
}

describe('a batcher', () => {
  it('answers each input, and keeps the order of those of one queue', async () => {
    const { batcher, batches, goOn } = held(3);
    const blocked = batcher.add('x');
    await Promise.resolve();
    await Promise.resolve();
    const rest = ['a', 'b', 'c', 'd'].map((input) => batcher.add(input));
    goOn();
    expect(await Promise.all([blocked, ...rest])).toEqual(['X', 'A', 'B', 'C', 'D']);
    expect(batches).toEqual([['x'], ['a', 'b', 'c'], ['d']]);
  });

  it('takes inputs of different queues in turn, and fills a batch from one of them if there are no others', async () => {
    const { batcher, batches, goOn } = held(4, (input) => input.charAt(0));
    const blocked = batcher.add('x');
    await Promise.resolve();
    await Promise.resolve();
    const rest = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1', 'b2'].map((input) => batcher.add(input));
    goOn();
    await Promise.all([blocked, ...rest]);
    expect(batches).toEqual([['x'], ['a1', 'b1', 'c1', 'a2'], ['b2', 'a3', 'a4', 'a5'], ['a6']]);
  });
});
