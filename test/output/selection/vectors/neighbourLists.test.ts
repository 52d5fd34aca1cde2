import { describe, expect, it } from '@jest/globals';
import { NeighbourLists } from '../../../../output/selection/vectors/neighbourLists.ts';

/** The cost of a list in a catalogue of that size. */
const LIST = 10_000;

/** Counts the lists that one request may make. */
function spend(lists: NeighbourLists, wanted: number, comparisons = LIST): number {
  const budget = lists.newBudget();
  return Array.from({ length: wanted }, () => {
    const isAllowed = lists.allows(budget, comparisons);
    if (isAllowed) lists.charge(budget, comparisons);
    return isAllowed;
  }).filter(Boolean).length;
}

describe('the comparisons of a process', () => {
  it('are limited per request', () => {
    expect(spend(new NeighbourLists(), 9)).toBe(6);
  });

  it('allow the first list of a request, however large the catalogue is', () => {
    expect(spend(new NeighbourLists(), 2, 100 * LIST)).toBe(1);
  });

  it('leave the first list to every request after others have used them up', () => {
    const lists = new NeighbourLists();
    let spent = 0;
    // From here on a request may make only its first list.
    for (let last = 9; last > 1; spent += last) last = spend(lists, 9);
    expect(spent).toBeGreaterThanOrEqual(100);
    expect([spend(lists, 9), spend(lists, 9)]).toEqual([1, 1]);
  });

  it('are limited even for first lists if very many come at once', () => {
    const lists = new NeighbourLists();
    const allowed = Array.from({ length: 900 }, () => spend(lists, 1)).filter((count) => count === 1).length;
    expect(allowed).toBeGreaterThanOrEqual(200);
    expect(allowed).toBeLessThan(300);
  });
});
