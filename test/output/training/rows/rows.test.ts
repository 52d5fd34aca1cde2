import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arrangeEvents } from '../../../../output/training/rows/arrangeEvents.ts';
import { decodeTrainingData, encodeTrainingData } from '../../../../output/training/rows/interactionFile.ts';
import { EventColumns } from '../../../../output/training/rows/eventColumns.ts';
import { wholeOf, type Interactions } from '../../../../output/training/rows/interactions.ts';
import { rankingQuality } from '../../../../output/training/evaluate/rankingQuality.ts';
import { sessionSteps } from '../../../../output/training/rows/sessionRows.ts';
import type { SparseRows } from '../../../../output/training/rows/sparseRows.ts';
import { tasteRows } from '../../../../output/training/rows/tasteRows.ts';
import { togetherWeights } from '../../../../output/training/orderedTogether.ts';
import { TopNumbers } from '../../../../output/topNumbers.ts';
import { lastWindow } from '../../../../output/training/evaluate/evaluationWindow.ts';

const DAY = 86_400;
/** Person, item, seconds, weight, order. */
type Row = [number, string, number, number?, string?];

function dataOf(rows: readonly Row[], leftOut: readonly string[] = [], most = Infinity): Interactions {
  const columns = new EventColumns();
  for (const [person, item, seconds, weight = 1, orderId = null] of rows)
    columns.add({ person, item, occurredAt: seconds * 1000, weight, orderId });
  return arrangeEvents(columns.take(), new Set(leftOut), most);
}

function named({ ids }: Interactions, { offsets, items, values }: SparseRows): Record<string, number>[] {
  return Array.from({ length: offsets.length - 1 }, (_, row) =>
    Object.fromEntries(
      [...items.subarray(offsets[row], offsets[row + 1])].map((item, index) => [
        ids[item],
        Number((values[(offsets[row] ?? 0) + index] ?? NaN).toFixed(4)),
      ]),
    ),
  );
}

describe('arrangeEvents', () => {
  const rows: Row[] = [
    [2, 'b', 50],
    [1, 'a', 30],
    [2, 'a', 40],
    [1, 'c', 20],
    [2, 'd', 45],
  ];

  it('orders events by person and time, and items by frequency, whatever the order of the rows', () => {
    const data = dataOf(rows);
    expect(dataOf(rows.toReversed())).toEqual(data);
    expect(data.ids).toEqual(['a', 'b', 'c', 'd']);
    expect([...data.offsets]).toEqual([0, 2, 5]);
    expect([...data.items].map((item) => data.ids[item])).toEqual(['c', 'a', 'a', 'd', 'b']);
    expect([...data.seconds]).toEqual([20, 30, 40, 45, 50]);
  });

  it('gives items of the same moment no common order, which would be learned as what comes next', () => {
    const people = 200;
    const tied = Array.from({ length: people }, (_, n): Row[] => ['a', 'b', 'c'].map((item) => [n + 1, item, 50]));
    const data = dataOf(tied.flat());
    expect(dataOf(tied.flat().toReversed())).toEqual(data);
    const orders = Array.from({ length: people }, (_, n) =>
      [...data.items.subarray(3 * n, 3 * n + 3)].map((item) => data.ids[item]).join(''),
    );
    const counts = Object.values(Object.groupBy(orders, (order) => order)).map((all) => all?.length ?? 0);
    // A sixth of 200 people is 33.
    expect([counts.length, Math.min(...counts) > 15]).toEqual([6, true]);
  });

  it('leaves out events whose weight is zero in single precision, which would be counted twice', () => {
    const data = dataOf([...rows, [1, 'c', 25, 1e-50], [3, 'a', 25, 1e-50]]);
    expect(data).toEqual(dataOf(rows));
  });

  it('leaves out the given items, the rarest items beyond the limit, and people who then have no events', () => {
    const data = dataOf(rows, ['a'], 2);
    expect(data.ids).toEqual(['b', 'c']);
    expect([...data.offsets]).toEqual([0, 1, 2]);
    expect(dataOf(rows, ['a', 'c']).offsets).toHaveLength(2);
    expect(dataOf([])).toMatchObject({ ids: [], offsets: Uint32Array.of(0) });
  });

  it('returns interactions that survive being written to a file and read back', () => {
    const interactions = dataOf(rows);
    const data = { interactions, forgottenItems: ['x'], forgottenRows: ['1'] };
    expect(decodeTrainingData(encodeTrainingData(data))).toEqual(data);
  });
});

describe('tasteRows', () => {
  it('sums the weights of an item, which decay with age, and takes the logarithm', () => {
    const data = dataOf([
      [1, 'a', 0, 2],
      [1, 'a', 10 * DAY, 1],
      [1, 'b', 10 * DAY, 8],
    ]);
    const rows = tasteRows(data, wholeOf(data), { halfLifeDays: 10, reference: 10 * DAY });
    expect(named(data, rows)).toEqual([{ a: Number(Math.log(3).toFixed(4)), b: Number(Math.log(9).toFixed(4)) }]);
  });

  it('uses the latest 500 items of a person', () => {
    const data = dataOf(Array.from({ length: 600 }, (_, index): Row => [1, `i-${index}`, index]));
    const [row = {}] = named(data, tasteRows(data, wholeOf(data), { halfLifeDays: null, reference: 0 }));
    expect(Object.keys(row)).toHaveLength(500);
    expect(row).not.toHaveProperty('i-99');
  });
});

describe('sessionSteps', () => {
  it('contains what came before each step without a pause of half an hour, the latest with the most weight', () => {
    const data = dataOf([
      [1, 'a', 0],
      [1, 'b', 60],
      [1, 'b', 61],
      [1, 'c', 120],
      [1, 'd', 120 + 31 * 60],
      [1, 'a', 130 + 31 * 60],
    ]);
    const { past, next } = sessionSteps(data, wholeOf(data));
    expect(named(data, past)).toEqual([{ a: 1 }, { a: 0.8, b: 1 }, { d: 1 }]);
    const led = data.ids.map((id, item) => [id, [...next.rows.subarray(next.offsets[item], next.offsets[item + 1])]]);
    expect(Object.fromEntries(led)).toEqual({ a: [2], b: [0], c: [1], d: [] });
  });
});

describe('togetherWeights', () => {
  const order = (id: string, items: string): Row[] => [...items].map((item): Row => [1, item, 10, 1, id]);
  const weightsOf = (rows: readonly Row[]) => {
    const data = dataOf(rows);
    const { offsets, columns, weights } = togetherWeights(data);
    return named(data, { offsets, items: columns, values: weights }).map((row, item) => [data.ids[item], row] as const);
  };

  it('links the case to the phone more than the other way round, and ignores what is in every order', () => {
    const orders = [
      ...Array.from({ length: 8 }, (_, index) => order(`c${index}`, 'pcx')),
      ...Array.from({ length: 24 }, (_, index) => order(`p${index}`, 'px')),
      ...Array.from({ length: 40 }, (_, index) => order(`o${index}`, 'xz')),
    ];
    const together = Object.fromEntries(weightsOf(orders.flat()));
    expect(together['c']?.['p']).toBeGreaterThan(together['p']?.['c'] ?? NaN);
    expect(together['p']?.['c']).toBeGreaterThan(0);
    expect(together['x']).toEqual({});
    expect(together['p']).not.toHaveProperty('z');
  });

  it('gives little weight to a single common order', () => {
    const others = Array.from({ length: 50 }, (_, index) => order(`o${index}`, 'xy'));
    const once = Object.fromEntries(weightsOf([...order('one', 'ab'), ...others.flat()]));
    const often = Object.fromEntries(
      weightsOf([...['1', '2', '3', '4', '5'].flatMap((id) => order(id, 'ab')), ...others.flat()]),
    );
    expect(once['a']?.['b']).toBeLessThan((often['a']?.['b'] ?? NaN) / 4);
  });

  it('is empty if nothing was ordered', () => {
    expect(weightsOf([[1, 'a', 0]])).toEqual([['a', {}]]);
  });
});

describe('TopNumbers', () => {
  it('keeps the best, and the smaller numbers among equals', () => {
    const best = new TopNumbers(3);
    for (const [number, score] of [
      [9, 1],
      [2, 5],
      [7, 1],
      [1, 1],
      [4, 3],
    ] as const)
      best.offer(number, score);
    expect([...best.ranked().numbers]).toEqual([2, 4, 1]);
    expect([...best.sortedInto(new Uint32Array(3))]).toEqual([1, 2, 4]);
  });

  it('ranks numbers as sorting all would, also after more are offered', () => {
    const offers = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.nat({ max: 20 }), offers, offers, (most, first, then) => {
        const best = new TopNumbers(most);
        const offered: [number, number][] = [];
        for (const scores of [first, then]) {
          for (const score of scores) {
            best.offer(offered.length, score);
            offered.push([offered.length, score]);
          }
          const { numbers, scores: kept } = best.ranked();
          const sorted = offered.toSorted(([a, x], [b, y]) => y - x || a - b).slice(0, most);
          expect(Array.from(numbers, (number, index) => [number, kept[index]])).toEqual(sorted);
        }
      }),
    );
  });
});

describe('rankingQuality', () => {
  it('is 1 for the best possible ranking, and counts only the first ten positions', () => {
    expect(rankingQuality([5, 6], Uint32Array.of(6, 5))).toEqual({ ndcg: 1, recall: 1 });
    expect(rankingQuality([1, 5], Uint32Array.of(5)).ndcg).toBeCloseTo(1 / Math.log2(3));
    expect(rankingQuality([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 77], Uint32Array.of(77, 3))).toMatchObject({ recall: 0.5 });
  });
});

describe('lastWindow', () => {
  const people = Array.from({ length: 40 }, (_, person) => person + 1);

  // proves: output-cabinet/models
  it('is the last week or fifth, with only items that are new to the person and that somebody met before', () => {
    const data = dataOf(
      people.flatMap((person): Row[] => [
        [person, `old-${person % 2}`, DAY],
        [person, 'common', 20 * DAY + person],
        [person, `old-${(person + 1) % 2}`, 40 * DAY],
        ...(person % 4 === 0 ? ([[person, 'unknown', 40 * DAY + 1]] satisfies Row[]) : []),
      ]),
    );
    const window = lastWindow(data);
    // More than a fifth of the events lie in the last week, so the window begins with the last fifth.
    expect(window?.begin).toBe(40 * DAY);
    expect([...(window?.cuts ?? [])]).toEqual(people.map(() => 2));
    const wanted = window?.cases.map(({ relevant: items }) => [...items].map((item) => data.ids[item]));
    // Each person has two events in the window: one of a known item, one of an item that nobody had met.
    const tried = people.filter((person) => person % 4 !== 0);
    expect(wanted).toEqual(tried.map((person) => [`old-${(person + 1) % 2}`]));
  });

  it('is the last new item of each person if nobody comes back', () => {
    const data = dataOf(
      people.flatMap((person): Row[] => [
        [person, person % 2 === 0 ? 'a' : 'b', person * DAY],
        [person, person % 2 === 0 ? 'b' : 'a', person * DAY + 60],
        [person, 'a', person * DAY + 120],
      ]),
    );
    expect([...(lastWindow(data)?.cuts ?? [])]).toEqual(people.map(() => 1));
  });

  it('is null with too few people', () => {
    expect(
      lastWindow(
        dataOf([
          [1, 'a', 0],
          [1, 'b', 60],
        ]),
      ),
    ).toBeNull();
    expect(lastWindow(dataOf([]))).toBeNull();
  });
});
