import { expect, it } from '@jest/globals';
import { DEFERRAL_DELAYS_MS, nextDeferralMs } from '../../../domain/analysis/deferral.ts';

const MINUTE = 60_000;

// proves: decisions-items/deferral-schedule
it('a step is retried after 10 min, 1 h, 6 h and 24 h, and then no more', () => {
  expect(DEFERRAL_DELAYS_MS).toEqual([10 * MINUTE, 60 * MINUTE, 360 * MINUTE, 1_440 * MINUTE]);
  expect([0, 1, 2, 3, 4, 5].map(nextDeferralMs)).toEqual([...DEFERRAL_DELAYS_MS, null, null]);
});
