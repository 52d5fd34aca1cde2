import { describe, expect, it } from '@jest/globals';
import { createLearnedSize, type LearnedSize } from '../../../../providers/openai/calls/learnedSize.ts';

const work = (size: LearnedSize, times: number, read = size.current()): void => {
  for (let time = 0; time < times; time += 1) size.worked(read);
};

describe('the size that a server reads', () => {
  it('is learned at once if the server names it', () => {
    const size = createLearnedSize(24_000);
    size.limited(6_000);
    expect(size.current()).toBe(6_000);
    size.limited(12_000);
    expect(size.current()).toBe(6_000);
  });

  it('is learned from the refusals of two items, as the larger of what was read', () => {
    const size = createLearnedSize(24_000);
    size.refused({ item: 'a', read: 3_000 });
    size.refused({ item: 'a', read: 3_000 });
    expect(size.current()).toBe(24_000);
    size.refused({ item: 'b', read: 12_000 });
    expect(size.current()).toBe(12_000);
  });

  it('is not learned from one item, nor if the server reads more meanwhile', () => {
    const size = createLearnedSize(24_000);
    size.refused({ item: undefined, read: 3_000 });
    size.refused({ item: 'a', read: 3_000 });
    size.worked(5_000);
    size.refused({ item: 'b', read: 3_000 });
    expect(size.current()).toBe(24_000);
    // Shorter material says nothing about it.
    size.worked(2_000);
    size.refused({ item: 'c', read: 3_000 });
    expect(size.current()).toBe(3_000);
  });

  it('grows back after successes that come near it', () => {
    const size = createLearnedSize(24_000);
    size.limited(6_000);
    work(size, 100, 3_000);
    expect(size.current()).toBe(6_000);
    work(size, 10);
    expect(size.current()).toBe(12_000);
    work(size, 10);
    expect(size.current()).toBe(24_000);
    work(size, 100);
    expect(size.current()).toBe(24_000);
  });

  it('grows back after ever more successes if the larger one is refused again and again', () => {
    const size = createLearnedSize(8);
    const successes = Array.from({ length: 6 }, () => {
      size.limited(4);
      for (let count = 0; ; count += 1) {
        if (size.current() > 4) return count;
        size.worked(4);
      }
    });
    expect(successes).toEqual([10, 20, 40, 80, 100, 100]);
  });
});
