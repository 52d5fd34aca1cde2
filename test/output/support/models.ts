/** Models with given weights. */
import type { Blend, ItemWeights } from '../../../output/models/itemModel.ts';
import type { StoredItemModel } from '../../../output/models/modelFile.ts';

/** Item → target → weight. */
export type Planted = Readonly<Record<string, Readonly<Record<string, number>>>>;

const EVEN: Blend = { halfLifeEvents: 5, taste: 1, transition: 1, content: 1, popularity: 1 };

export function modelOf({
  id = 'm-1',
  taste = {},
  transition = {},
  together = {},
  blend = {},
  people = 1_000,
}: {
  id?: string;
  taste?: Planted;
  transition?: Planted;
  together?: Planted;
  blend?: Partial<Blend>;
  /** Number of people who had met each item. */
  people?: number;
}): StoredItemModel {
  const met = [taste, transition, together].flatMap((part) =>
    Object.entries(part).flatMap(([from, targets]) => [from, ...Object.keys(targets)]),
  );
  const ids = [...new Set(met)].toSorted();
  return {
    id,
    ids,
    taste: weightsOf(taste, ids),
    transition: weightsOf(transition, ids),
    together: weightsOf(together, ids),
    blend: { ...EVEN, ...blend },
    people: new Uint32Array(ids.length).fill(people),
  };
}

function weightsOf(planted: Planted, ids: readonly string[]): ItemWeights {
  const rows = ids.map((id) => Object.entries(planted[id] ?? {}));
  const offsets = [0];
  for (const row of rows) offsets.push((offsets.at(-1) ?? 0) + row.length);
  return {
    offsets: Uint32Array.from(offsets),
    columns: Uint32Array.from(rows.flat(), ([target]) => ids.indexOf(target)),
    weights: Float32Array.from(rows.flat(), ([, weight]) => weight),
  };
}
