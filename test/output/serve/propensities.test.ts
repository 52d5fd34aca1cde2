import { describe, expect, it } from '@jest/globals';
import { propensitiesOf } from '../../../output/serve/propensities.ts';

describe('the chances of items', () => {
  // proves: output-snapshots/propensities
  it('are their own, and 1 for items that nothing could have replaced', () => {
    const shown = [
      { position: 0 },
      // Moved up, to a position where nothing is tried.
      { position: 1, propensity: 0.9 },
      { position: 2, propensity: 0.02, isTrial: true as const },
      { position: 3, propensity: 0.9 },
      { position: 4 },
    ];
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'personal' })).toEqual([1, 1, 0.02, 0.9, 1]);
    expect(propensitiesOf(shown, { exploration: 0, mode: 'personal' })).toBeNull();
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'fallback' })).toBeNull();
  });
});
