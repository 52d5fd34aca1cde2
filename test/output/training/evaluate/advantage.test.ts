import { describe, expect, it } from '@jest/globals';
import { clearlyBest } from '../../../../output/training/evaluate/advantage.ts';

const asFound = (values: readonly number[]) => values.map((ndcg) => ({ ndcg, recall: 0 }));

describe('the best of several settings', () => {
  it('is the one with the highest mean if the difference is clear', () => {
    const usual = Array.from({ length: 400 }, (_, n) => (n % 2) * 0.4);
    const better = usual.map((value, n) => value + (n % 4 === 0 ? 0.1 : 0));
    expect(clearlyBest([usual, usual, better].map(asFound))).toBe(2);
  });

  it('is the first one while others may be better by chance', () => {
    const usual = [0, 0.4, 0, 0.4, 0, 0.4, 0, 0.4];
    const luckier = [0, 0.4, 0, 0.4, 0, 0.4, 0.5, 0.4];
    expect(clearlyBest([usual, luckier].map(asFound))).toBe(0);
    expect(clearlyBest([usual, usual].map(asFound))).toBe(0);
    expect(clearlyBest([[], []])).toBe(0);
  });
});
