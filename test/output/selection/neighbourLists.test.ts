import { describe, expect, it } from '@jest/globals';
import { NeighbourLists } from '../../../output/selection/neighbourLists.ts';

/** What a list costs in a catalogue of such a size. */
const LIST = 10_000;

/** Lists that one request is allowed. */
function spend(lists: NeighbourLists, wanted: number, comparisons = LIST): number {
  const budget = lists.newBudget();
  return Array.from({ length: wanted }, () => lists.spend(budget, comparisons)).filter(Boolean).length;
}

describe('the comparisons of a process', () => {
  it('are limited for each request', () => {
    expect(spend(new NeighbourLists(), 9)).toBe(5);
  });

  it('allow the first list of a request, however large the catalogue is', () => {
    expect(spend(new NeighbourLists(), 2, 100 * LIST)).toBe(1);
  });

  it('leave the first list to every request after others have used them up', () => {
    const lists = new NeighbourLists();
    let spent = 0;
    // No request has more than its first one from here on.
    for (let last = 9; last > 1; spent += last) last = spend(lists, 9);
    expect(spent).toBeGreaterThanOrEqual(100);
    expect([spend(lists, 9), spend(lists, 9)]).toEqual([1, 1]);
  });

  it('end even for first lists when very many come at once', () => {
    const lists = new NeighbourLists();
    const allowed = Array.from({ length: 900 }, () => spend(lists, 1)).filter((count) => count === 1).length;
    expect(allowed).toBeGreaterThanOrEqual(200);
    expect(allowed).toBeLessThan(300);
  });
});
