import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { visitRow } from '../../../domain/visits/visit.ts';
import { EMPTY_ROW } from '../../../domain/visits/visitState.ts';
import { DEVICE, event, MINUTE, VisitorRun } from './visitorRun.ts';

it('every field of a visit is filled by some request (domain/visits/visit.ts, attribution.ts)', () => {
  const run = new VisitorRun();
  run.batch([{ events: [event(0, { params: { plan: 'pro' } })] }]);
  run.batch([{ events: [event(MINUTE, { type: 'user', user: { user_id: 'u1' } })], device: DEVICE }]);
  run.batch([{ events: [event(90 * MINUTE, { referrer: 'organic:Google' })], robotReason: 'UserAgent' }]);
  const rows = run.stored.map((visit) => visitRow(visit, 1));
  const fields = Object.entries(EMPTY_ROW) as [keyof typeof EMPTY_ROW, unknown][];
  const unfilled = fields.filter(([field, empty]) => rows.every((row) => isDeepStrictEqual(row[field], empty)));
  expect(unfilled.map(([field]) => field)).toEqual([]);
});
