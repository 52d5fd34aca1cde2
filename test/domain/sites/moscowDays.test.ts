import { expect, it } from '@jest/globals';
import { moscowDay, secondsToMoscowMidnight } from '../../../domain/sites/moscowDays.ts';

it.each([
  ['2026-11-20T20:59:59.999Z', '2026-11-20', 0.001],
  ['2026-11-20T21:00:00.000Z', '2026-11-21', 86_400],
  ['2026-11-21T09:00:00.000Z', '2026-11-21', 43_200],
])('%s belongs to the day %s in Moscow, which lasts %d more seconds', (at, day, seconds) => {
  expect(moscowDay(Date.parse(at))).toBe(Date.parse(day) / 86_400_000);
  expect(secondsToMoscowMidnight(Date.parse(at))).toBeCloseTo(seconds, 6);
});
