import { describe, expect, it } from '@jest/globals';
import type { Finalist } from '../../output/serve/candidates.ts';
import { heldBack, propensitiesOf } from '../../output/serve/tried.ts';

const known = (id: string) => ({ id }) as Finalist;
const tried = (id: string) => ({ id, propensity: 0.02 }) as Finalist;
const order = (finalists: Finalist[], firstPosition = 0) => heldBack(finalists, firstPosition).map(({ id }) => id);

describe('items that are tried', () => {
  it('do not come to the first two places when what was before them is gone', () => {
    expect(order([tried('t'), known('a'), known('b'), known('c')])).toEqual(['a', 'b', 't', 'c']);
    expect(order([known('a'), tried('t'), tried('u'), known('b'), known('c')])).toEqual(['a', 'b', 't', 'u', 'c']);
    expect(order([known('a'), known('b'), tried('t')])).toEqual(['a', 'b', 't']);
  });

  it('may come to the first places of a later page, and where there is nothing else', () => {
    expect(order([tried('t'), known('a')], 10)).toEqual(['t', 'a']);
    expect(order([tried('t'), tried('u')])).toEqual(['t', 'u']);
  });

  it('have their own chance, and the others that of a place that is not for trying', () => {
    const shown = [{ position: 0 }, { position: 1 }, { position: 2, propensity: 0.02 }, { position: 3 }];
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'personal' })).toEqual([1, 1, 0.02, 0.9]);
    expect(propensitiesOf(shown, { exploration: 0, mode: 'personal' })).toBeNull();
    expect(propensitiesOf(shown, { exploration: 0.1, mode: 'fallback' })).toBeNull();
  });
});
