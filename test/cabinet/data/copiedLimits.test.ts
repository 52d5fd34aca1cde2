/** Limits of the cabinet that no API describes; those of fields are in the generated `limits.gen.ts`. */
import { describe, expect, it } from '@jest/globals';
import { faultOfPassword } from '../../../cabinet/src/data/newPassword.ts';
import { REPORT_MONTHS } from '../../../cabinet/src/data/period.ts';
import { MAX_WEBHOOKS } from '../../../cabinet/src/data/webhooks/webhooks.ts';
import { WEBHOOKS_PER_PROJECT } from '../../../db/webhooks/webhooks.ts';
import { PASSWORD_LENGTH } from '../../../domain/accounts/passwords.ts';
import { REPORT_LIMITS } from '../../../reports/validate/reportLimits.ts';

describe("the cabinet's copy of", () => {
  it('the number of webhooks is right', () => {
    expect(MAX_WEBHOOKS).toBe(WEBHOOKS_PER_PROJECT);
  });

  it('the period of reports is right', () => {
    expect(REPORT_MONTHS).toBe(REPORT_LIMITS.months);
  });

  it('the length of passwords is right', () => {
    const faultOf = (length: number) => faultOfPassword({ fresh: 'ж'.repeat(length), again: 'ж'.repeat(length) });
    expect([faultOf(PASSWORD_LENGTH.min - 1), faultOf(PASSWORD_LENGTH.min)]).toEqual(['short', null]);
  });
});
