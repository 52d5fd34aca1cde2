import { describe, expect, it } from '@jest/globals';
import { checkLimits, DEFAULT_LIMITS } from '../../../loops/delivery/firstLaneLimits.ts';

describe('checkLimits', () => {
  it('accepts the current limits', () => expect(checkLimits(DEFAULT_LIMITS)).toBe(DEFAULT_LIMITS));

  it.each([{ perWebhook: 56 }, { urgentPerWebhook: 14 }, { leaseMs: 45_000 }])(
    'refuses %j, because the last claim would outlive its lease',
    (change) => {
      expect(() => checkLimits({ ...DEFAULT_LIMITS, ...change })).toThrow(RangeError);
    },
  );
});
