import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Catalogue } from '../../../../output/selection/catalogue/catalogue.ts';
import { NeighbourLists } from '../../../../output/selection/vectors/neighbourLists.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { change, feedFor, placed, placedAt } from '../../support/catalogues.ts';
import { Directions } from '../../support/directions.ts';
import { later } from '../../support/later.ts';

/** Limits of one request, and of the process for a second. */
const REQUEST_BUDGET = 60_000;
const BUDGET_PER_SECOND = 1_000_000;

beforeEach(() => {
  // The budget of comparisons refills with time.
  later(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the budget of a request', () => {
  it('counts what its lists really took', () => {
    const lists = new NeighbourLists();
    const budget = lists.newBudget();
    expect(lists.allows(budget, 9 * REQUEST_BUDGET)).toBe(true);
    lists.charge(budget, REQUEST_BUDGET - 10);
    expect([lists.allows(budget, 10), lists.allows(budget, 11)]).toEqual([true, false]);
    lists.charge(budget, 11);
    expect(lists.allows(budget, 0)).toBe(false);
  });

  it('allows only the first list while the process has none left', () => {
    const lists = new NeighbourLists();
    lists.charge(lists.newBudget(), BUDGET_PER_SECOND);
    const budget = lists.newBudget();
    expect(lists.allows(budget, 5)).toBe(true);
    lists.charge(budget, 5);
    expect(lists.allows(budget, 5)).toBe(false);
    expect(lists.allows(lists.newBudget(), 5)).toBe(true);
  });

  it('does not let the process owe more than the budget of one second', () => {
    const lists = new NeighbourLists();
    lists.charge(lists.newBudget(), 2 * BUDGET_PER_SECOND - 1);
    expect(lists.allows(lists.newBudget(), 1)).toBe(true);
    lists.charge(lists.newBudget(), 1);
    expect(lists.allows(lists.newBudget(), 1)).toBe(false);
  });

  it('is refilled with time, up to a second', () => {
    const lists = new NeighbourLists();
    const second = (): boolean => {
      const budget = lists.newBudget();
      lists.charge(budget, 0);
      return lists.allows(budget, 1);
    };
    lists.charge(lists.newBudget(), 2 * BUDGET_PER_SECOND);
    later(500);
    expect([lists.allows(lists.newBudget(), 1), second()]).toEqual([true, false]);
    later(501);
    expect(second()).toBe(true);
    later(3_600_000);
    lists.charge(lists.newBudget(), BUDGET_PER_SECOND);
    expect(second()).toBe(false);
  });
});

describe('the neighbours of a catalogue', () => {
  /** Few enough to be compared one by one: each list costs as many comparisons as there are items. */
  const SLOTS = 7_000;

  function circle(size: number, lists = new NeighbourLists()): Catalogue {
    const catalogue = new Catalogue(lists, []);
    catalogue.apply(
      Array.from({ length: size }, (_, n) => change(`i-${n}`, n % 100 === 99 ? {} : { placed: placedAt(n / 20) })),
    );
    return catalogue;
  }

  it('are searched within the budget, and cost nothing once they are kept', () => {
    const catalogue = circle(SLOTS);
    const slots = Array.from({ length: 12 }, (_, n) => n * 10);
    const budget = catalogue.newBudget();
    const found = slots.map((slot) => catalogue.neighboursWithin(slot, budget) !== null);
    // Eight lists cost 56,000.
    expect(found.indexOf(false)).toBe(8);
    expect([budget.left, found.includes(true, 8)]).toEqual([REQUEST_BUDGET - 8 * SLOTS, false]);
    expect(catalogue.neighboursWithin(0, budget)).not.toBeNull();
    expect(budget.left).toBe(REQUEST_BUDGET - 8 * SLOTS);
    // The next request finds these lists, and has its whole budget for the others.
    const next = catalogue.newBudget();
    expect(slots.every((slot) => catalogue.neighboursWithin(slot, next) !== null)).toBe(true);
    expect(next.left).toBe(REQUEST_BUDGET - 4 * SLOTS);
  });

  it('do not use up the first list of a request if an item has no vector', () => {
    const catalogue = circle(100);
    const budget = catalogue.newBudget();
    expect(catalogue.neighboursWithin(99, budget)).toBeNull();
    expect(budget).toEqual({ left: REQUEST_BUDGET, isUntouched: true });
  });

  it('are missing from a feed while the budget is used up, and come later', () => {
    const lists = new NeighbourLists();
    const catalogue = circle(200, lists);
    lists.charge(lists.newBudget(), 2 * BUDGET_PER_SECOND);
    const codes = () => {
      const { ranked } = rank(catalogue, feedFor({ taste: { items: [{ item: 'i-50', weight: 1 }] } }));
      return ranked.map(({ reason }) => reason.code);
    };
    expect(codes()).toEqual(Array.from({ length: 10 }, () => 'new'));
    later(1_000);
    expect(codes()).toEqual(Array.from({ length: 10 }, () => 'similar'));
  });
});

describe('a list for which sketches did not find enough', () => {
  it('is charged with all the comparisons that it took', () => {
    const directions = new Directions(51);
    const centre = directions.any();
    const catalogue = new Catalogue(new NeighbourLists(), []);
    const model = 'builtin-use-multilingual-v3';
    // Eighty are near to the first, from a cosine of 0.4 up, and two thousand are just below.
    const directionOf = (slot: number) =>
      slot < 80 ? directions.at(0.42, centre) : slot < 2_080 ? directions.at(0.37, centre) : directions.any();
    catalogue.apply(
      Array.from({ length: 8_500 }, (_, slot) =>
        change(`i-${slot}`, { placed: placed(slot === 0 ? centre : directionOf(slot), model) }),
      ),
    );
    const expected = catalogue.vectors.nearCost(catalogue.size);
    const budget = catalogue.newBudget();
    expect(catalogue.neighboursWithin(0, budget)?.slots.length).toBe(79);
    expect(expected).toBeLessThan(3_000);
    expect(REQUEST_BUDGET - budget.left).toBeGreaterThan(8_500 + expected);
  });
});
