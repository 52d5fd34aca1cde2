import { describe, expect, it } from '@jest/globals';
import { propensitiesOf } from '../../../../output/serve/page/propensities.ts';

describe('the chances of items', () => {
  // proves: output-snapshots/propensities
  it('are those with which they were drawn, and 1 for items that nothing could have replaced', () => {
    const shown: Parameters<typeof propensitiesOf>[0] = [
      { position: 0 },
      // Moved up, to a position where nothing is tried.
      { position: 1, propensity: 0.9, isTrial: false },
      { position: 2, propensity: 0.02, isTrial: true },
      { position: 3, propensity: 0.9, isTrial: false },
      { position: 4 },
    ];
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'personal' })).toEqual([1, 1, 0.02, 0.9, 1]);
    expect(propensitiesOf(shown, { exploration: 0, mode: 'personal' })).toBeNull();
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'fallback' })).toBeNull();
  });

  it('are those that were sent, if a selection process of the previous release does not say which items are tried', () => {
    const shown = [{ position: 1, propensity: 0.02 }, { position: 2 }];
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'personal' })).toEqual([0.02, 1]);
  });
});
