import { expect, it } from '@jest/globals';
import { AdaptiveLimit } from '../../../loops/ingest/batchSize.ts';

it('losses of the session are blamed on a request only if they were all with it', () => {
  const limit = new AdaptiveLimit(1);
  for (let losses = 0; losses < 4; losses += 1) limit.lostSession();
  expect(limit.failed(false)).toBe('alone');
  // The next request is read now.
  for (let losses = 0; losses < 4; losses += 1) limit.lostSession();
  expect(limit.isLoneLoss).toBe(false);
  limit.lostSession();
  expect(limit.isLoneLoss).toBe(true);
});
