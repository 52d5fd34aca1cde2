import { expect, it } from '@jest/globals';
import { analyticsOperations } from '../../../api/analyticsApi.ts';
import { limitOf } from '../../../api/analytics/keyLimits.ts';
import { DEFAULT_SITE_LIMITS, type SiteLimits } from '../../../domain/sites/siteLimits.ts';

/** Limits that count something other than requests over time; their own tests prove that they are applied. */
const APPLIED_ELSEWHERE = ['reports_simultaneous'];

const limitsOf = (limits: SiteLimits) =>
  analyticsOperations.map((operation) => limitOf({ keyId: 'k', limits }, operation));

it.each(Object.keys(DEFAULT_SITE_LIMITS).filter((name) => !APPLIED_ELSEWHERE.includes(name)))(
  'a limit that an administrator can set limits some operation: %s (api/analytics/keyLimits.ts)',
  (name) => {
    expect(limitsOf({ ...DEFAULT_SITE_LIMITS, [name]: 7 })).not.toEqual(limitsOf(DEFAULT_SITE_LIMITS));
  },
);
