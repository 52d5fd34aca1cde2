import { describe, expect, it } from '@jest/globals';
import { propensitiesOf } from '../../output/serve/propensities.ts';

describe('the chances of items', () => {
  // proves: output-snapshots/propensities
  it('are their own for trial items, and those of an ordinary position for others', () => {
    const shown = [{ position: 0 }, { position: 1 }, { position: 2, propensity: 0.02 }, { position: 3 }];
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'personal' })).toEqual([1, 1, 0.02, 0.9]);
    expect(propensitiesOf(shown, { exploration: 0, mode: 'personal' })).toBeNull();
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'fallback' })).toBeNull();
  });
});
