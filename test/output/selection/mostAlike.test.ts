import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../../chaos/load/random.ts';
import { catalogueOf, change, placed } from '../support/catalogues.ts';

const DIMENSION = 64;
const CLUSTERS = 40;

/** Numbers around a centre of their cluster, so that there are neighbours to find. */
function itemsIn(count: number) {
  const random = createRandom(7);
  const numbers = (): number[] => Array.from({ length: DIMENSION }, () => random.next() - 0.5);
  const centres = Array.from({ length: CLUSTERS }, numbers);
  return Array.from({ length: count }, (_, n) => {
    const centre = centres[n % CLUSTERS] ?? [];
    const vector = numbers().map((noise, at) => (centre[at] ?? 0) + noise);
    return change(`i-${n}`, { placed: placed(vector, 'clusters') });
  });
}

describe('the neighbours in a large catalogue', () => {
  it('are nearly all found although only what has most signs in common is compared', () => {
    const catalogue = catalogueOf(itemsIn(22_000));
    const score = catalogue.vectors.scorer(0);
    const nearest = Array.from({ length: catalogue.size - 1 }, (_, at) => ({ slot: at + 1, cosine: score(at + 1) }))
      .toSorted((a, b) => b.cosine - a.cosine)
      .slice(0, 500);
    const list = catalogue.neighboursOf(0);
    const found = new Set(list.slots);
    expect(list.slots).toHaveLength(500);
    expect(nearest.filter(({ slot }) => found.has(slot)).length).toBeGreaterThan(475);
    expect(list.floor).not.toBeNull();
  });
});
