/** The positions of values in a chart. */
import { describe, expect, it } from '@jest/globals';
import { linePath, yScale } from '../../cabinet/src/charts/scale.ts';

describe('the scale of a chart', () => {
  it.each([
    [[], 1, [0, 1]],
    [[0, 0], 1, [0, 1]],
    [[3, 1], 3, [0, 1, 2, 3]],
    [[950, 20], 1000, [0, 200, 400, 600, 800, 1000]],
    [[null, 3], 3, [0, 1, 2, 3]],
    [[0.31, 0.2], 0.4, [0, 0.1, 0.2, 0.3, 0.4]],
  ])('ends at a round value that covers %j', (values, top, ticks) => {
    expect(yScale(values)).toEqual({ top, ticks });
  });
});

describe('the line through values', () => {
  it('goes upwards from the left edge to the right edge', () => {
    expect(linePath([0, 5, 10], 10)).toBe('M0 1000L500 500L1000 0');
  });

  it('crosses the whole chart for a single value', () => {
    expect(linePath([5], 10)).toBe('M0 500L1000 500');
  });

  it('is interrupted where there are no values, and is a dot between two gaps', () => {
    expect(linePath([1, 2, null, 4, null], 4)).toBe('M0 750L250 500M750 0L750 0');
    expect(linePath([null], 4)).toBe('');
  });

  it('is empty without values', () => {
    expect(linePath([], 10)).toBe('');
  });
});
