import { expect, it } from '@jest/globals';
import { changeOf } from '../../../cabinet/src/pages/analytics/overview/figures/figures.ts';

it.each([
  [150, 100, 0.5],
  [50, 100, -0.5],
  [-100, 100, -2],
  [-50, -100, 0.5],
  [100, -100, 2],
  [-200, -100, -1],
  [100, 0, null],
])('a change to %d from %d has the sign of its direction, and no value from zero', (now, before, change) => {
  expect(changeOf(now, before)).toBe(change);
});
