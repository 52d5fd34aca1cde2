/** Holds items of each person back, to see whether a recommender trained on the rest finds them. */
import { at, peopleOf, type Interactions } from '../../../output/training/rows/interactions.ts';
import { createRandom } from '../../load/random.ts';

export interface HeldOut {
  /** The events that remain. People and items keep their indexes. */
  train: Interactions;
  /** For each person, the items held back, of which no event remains; empty where none was. */
  relevant: readonly Uint32Array[];
}

/** Holds back a fifth of each person's items, drawn at random. */
export function randomFifth(data: Interactions, seed: number): HeldOut {
  const random = createRandom(seed);
  return holdOut(data, (met) => {
    const shuffled = met.map((item) => ({ item, key: random.next() })).toSorted((a, b) => a.key - b.key);
    return shuffled.slice(0, Math.round(met.length / 5)).map(({ item }) => item);
  });
}

/** Holds back the item that each person met last, except where it is the only one. */
export function lastItem(data: Interactions): HeldOut {
  return holdOut(data, (met) => (met.length > 1 ? met.slice(-1) : []));
}

/** @param choose selects from a person's items, in the order in which they were first met */
function holdOut(data: Interactions, choose: (met: number[]) => number[]): HeldOut {
  const { offsets, items } = data;
  const relevant: Uint32Array[] = [];
  const ends = [0];
  const kept: number[] = [];
  for (let person = 0; person < peopleOf(data); person += 1) {
    const own = items.subarray(at(offsets, person), at(offsets, person + 1));
    const chosen = new Set(choose([...new Set(own)]));
    for (const [index, item] of own.entries()) if (!chosen.has(item)) kept.push(at(offsets, person) + index);
    relevant.push(Uint32Array.from(chosen));
    ends.push(kept.length);
  }
  const train = {
    ids: data.ids,
    offsets: Uint32Array.from(ends),
    items: Uint32Array.from(kept, (event) => at(items, event)),
    seconds: Uint32Array.from(kept, (event) => at(data.seconds, event)),
    weights: Float32Array.from(kept, (event) => data.weights[event] ?? 1),
    baskets: Uint32Array.from(kept, (event) => at(data.baskets, event)),
  };
  return { train, relevant };
}
