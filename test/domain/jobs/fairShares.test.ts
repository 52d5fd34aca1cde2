import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allocateFairly } from '../../../domain/jobs/fairShares.ts';

const waiting = (...rows: [priority: number, due: number][]) => rows.map(([priority, due]) => ({ priority, due }));

describe('allocateFairly', () => {
  it('gives everything to the only tenant', () => expect(allocateFairly(waiting([4, 24_000]), 50)).toEqual([50]));

  it('gives equal parts to tenants with equal work', () =>
    expect(allocateFairly(waiting([4, 24_000], [4, 24_000]), 50)).toEqual([25, 25]));

  it('gives unused parts to the others', () =>
    expect(allocateFairly(waiting([4, 24_000], [4, 3], [4, 1_000]), 50)).toEqual([23, 3, 24]));

  it('serves urgent work first', () =>
    expect(allocateFairly(waiting([4, 100], [2, 45], [3, 2]), 50)).toEqual([3, 45, 2]));

  it('gives places to the first tenants if there are too few', () =>
    expect(allocateFairly(waiting([4, 9], [4, 9], [4, 9]), 2)).toEqual([1, 1, 0]));

  it('looks at each of ten thousand a few times only, because it runs for every batch of the relay', () => {
    let looks = 0;
    const many = Array.from({ length: 10_000 }, () => ({
      due: 50,
      get priority() {
        looks += 1;
        return 4;
      },
    }));
    expect(allocateFairly(many, 50).filter((share) => share > 0)).toHaveLength(50);
    expect(looks).toBeLessThan(500_000);
  });

  it('fills the room as far as there is work, and never exceeds it', () => {
    const row = fc.record({ priority: fc.integer({ min: 1, max: 5 }), due: fc.integer({ min: 0, max: 80 }) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), fc.integer({ min: 1, max: 60 }), (rows, room) => {
        const shares = allocateFairly(rows, room);
        const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
        expect(sum(shares)).toBe(Math.min(room, sum(rows.map(({ due }) => due))));
        expect(rows.every(({ due }, index) => (shares[index] ?? 0) <= due)).toBe(true);
      }),
    );
  });
});
