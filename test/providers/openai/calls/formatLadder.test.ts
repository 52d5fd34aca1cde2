import { describe, expect, it } from '@jest/globals';
import { RejectedRequestError } from '../../../../providers/openai/calls/serverErrors.ts';
import { createFormatLadder } from '../../../../providers/openai/calls/formatLadder.ts';

const rejection = new RejectedRequestError(400, { aboutFormat: false, maxPictures: null });

describe('a ladder of formats', () => {
  it('returns to the best format after many uses of a lower one, in case one item led there', async () => {
    const ladder = createFormatLadder(['timed', 'text']);
    const tried: string[] = [];
    const use = (isRejected = false) =>
      ladder.use(async (format) => {
        tried.push(format);
        if (isRejected && format === 'timed') throw rejection;
      });
    await use(true);
    for (let time = 0; time < 99; time += 1) await use();
    expect(tried).toEqual(['timed', ...Array(100).fill('text')]);
    await use();
    expect(tried.at(-1)).toBe('timed');
    expect(ladder.current()).toBe('timed');
  });

  it('keeps the best format after its return to it, even if a request in the lower one ends later', async () => {
    const ladder = createFormatLadder(['timed', 'text']);
    let isRejected = true;
    const use = () =>
      ladder.use(async (format) => {
        if (isRejected && format === 'timed') throw rejection;
      });
    await use();
    const { promise, resolve } = Promise.withResolvers<void>();
    const overlapping = ladder.use(() => promise);
    isRejected = false;
    for (let time = 0; time < 100; time += 1) await use();
    expect(ladder.current()).toBe('timed');
    resolve();
    await overlapping;
    expect(ladder.current()).toBe('timed');
  });

  it('credits an answer to the format in which it was requested', async () => {
    const ladder = createFormatLadder(['schema', 'object', 'prompt']);
    ladder.ignored('schema', 'a');
    ladder.ignored('schema', 'b');
    expect(ladder.current()).toBe('object');
    // Late answers in the former format.
    ladder.followed('schema');
    ladder.ignored('schema', 'c');
    ladder.ignored('object', 'd');
    expect(ladder.current()).toBe('object');
    ladder.ignored('object', 'e');
    expect(ladder.current()).toBe('prompt');
  });
});
