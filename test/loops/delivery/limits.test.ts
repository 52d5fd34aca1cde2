import { describe, expect, it } from '@jest/globals';
import { checkLimits, DEFAULT_LIMITS } from '../../../loops/delivery/limits.ts';

describe('checkLimits', () => {
  it('takes the limits that are in force', () => expect(checkLimits(DEFAULT_LIMITS)).toBe(DEFAULT_LIMITS));

  it.each([{ perWebhook: 56 }, { urgentPerWebhook: 14 }, { leaseMs: 45_000 }])(
    'refuses %j: the last claim would outwait its lease',
    (change) => {
      expect(() => checkLimits({ ...DEFAULT_LIMITS, ...change })).toThrow(RangeError);
    },
  );
});
