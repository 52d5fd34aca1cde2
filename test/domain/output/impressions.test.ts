import { describe, expect, it } from '@jest/globals';
import { positionBucket } from '../../../domain/output/impressions.ts';

describe('the bucket of a position', () => {
  // proves: decisions-events/impression-counters
  it('is named by its first position: narrow at the top of a list, wide further down', () => {
    const cases: [number | null, number][] = [
      [null, -1],
      [0, 0],
      [1, 1],
      [4, 4],
      [5, 5],
      [9, 5],
      [10, 10],
      [19, 10],
      [20, 20],
      [49, 20],
      [50, 50],
      [99, 50],
      [100, 100],
      [65_535, 100],
    ];
    expect(cases.map(([position]) => positionBucket(position))).toEqual(cases.map(([, bucket]) => bucket));
  });
});
