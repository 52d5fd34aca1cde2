import { expect, it } from '@jest/globals';
import { isOver } from '../../../db/visits/visitEnd.ts';
import { VISIT_PAUSE_MS } from '../../../domain/visits/visitPause.ts';

it('the pause that ends a visit is half an hour, in the rules and in SQL statements', () => {
  expect(VISIT_PAUSE_MS).toBe(1_800_000);
  expect(isOver('v')).toBe(`v.last_hit_at < now() - interval '1800000 milliseconds'`);
});
