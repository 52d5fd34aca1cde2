import { expect, it } from '@jest/globals';
import { logistic } from '../../domain/logistic.ts';

it('the logistic function turns log-odds into a probability, and is certain only at the extremes', () => {
  expect(logistic(0)).toBe(0.5);
  expect(logistic(Math.log(3))).toBeCloseTo(0.75, 12);
  expect(logistic(2) + logistic(-2)).toBeCloseTo(1, 12);
  expect([logistic(-1_000), logistic(1_000)]).toEqual([0, 1]);
});
