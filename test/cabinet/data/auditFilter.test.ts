/** The parameters in the URL of the audit trail. */
import { expect, it } from '@jest/globals';
import { auditFilterOf, momentOf } from '../../../cabinet/src/data/installation/auditFilter.ts';

const USER = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';

it('the filter of the audit trail accepts what the API accepts', () => {
  const filter = { project: 'a1b2c3d4e5f6', site: undefined, user: USER, operation: 'patchProject', period: 'week' };
  expect(auditFilterOf(filter)).toEqual(filter);
});

it.each([
  { project: 'short' },
  { site: 12 },
  { user: 'anna@example.com' },
  { operation: 'o'.repeat(101) },
  { period: 'century' },
])('the filter of the audit trail leaves out what the API would refuse: %j', (search) => {
  expect(Object.values(auditFilterOf(search))).toEqual(Array.from({ length: 5 }));
});

it('the filter of the audit trail starts a period the given number of days ago', () => {
  expect(momentOf('week', Date.parse('2026-11-20T09:00:00Z'))).toBe('2026-11-13T09:00:00.000Z');
});
