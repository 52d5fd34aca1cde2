import { describe, expect, it } from '@jest/globals';
import { pickEvenly } from '../../domain/pickEvenly.ts';

describe('an even choice', () => {
  it('has the first, the last and some between them', () => {
    const values = Array.from({ length: 101 }, (_, index) => index);
    expect(pickEvenly(values, 11)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(pickEvenly(values, 2)).toEqual([0, 100]);
    expect(pickEvenly(values, 1)).toEqual([0]);
    expect(pickEvenly(values, 0)).toEqual([]);
  });

  it('has everything if there are no more values than allowed', () => {
    expect(pickEvenly(['a', 'b'], 11)).toEqual(['a', 'b']);
    expect(pickEvenly([], 0)).toEqual([]);
  });

  it('has exactly the allowed number of values', () => {
    for (let most = 1; most < 30; most += 1) expect(pickEvenly(Array(30).fill('x'), most)).toHaveLength(most);
  });
});
