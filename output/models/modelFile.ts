/** A model as a file: people of each item; then of each part offsets, columns and weights. */
import { ArrayFileError, decodeArrays, encodeArrays } from './arrayFile.ts';
import type { Blend, ItemModel, ItemWeights } from './itemModel.ts';

/** A model with what training has to know of it for the next one. */
export interface StoredItemModel extends ItemModel {
  /** Of each item, how many people had met it when the column of its weights was solved. */
  people: Uint32Array;
}

/** The bytes are no model, or none that this version reads. */
export { ArrayFileError as ModelFileError } from './arrayFile.ts';

const KIND = 'ATIM';
export const MAX_ITEMS = 200_000;

const PARTS = ['taste', 'transition', 'together'] as const;

interface Head {
  id: string;
  blend: Blend;
  ids: string[];
  /** In the order of {@link PARTS}. */
  weights: number[];
}

/** @throws {ModelFileError} for more than {@link MAX_ITEMS} items, or a file that is too large */
export function encodeModel(model: StoredItemModel): Buffer {
  const { id, blend, ids } = model;
  if (ids.length > MAX_ITEMS) throw new ArrayFileError(`a model of ${ids.length} items is too large`);
  const parts = PARTS.map((part) => model[part]);
  const head: Head = { id, blend, ids: [...ids], weights: parts.map(({ columns }) => columns.length) };
  return encodeArrays(KIND, head, [
    model.people,
    ...parts.flatMap(({ offsets, columns, weights }) => [offsets, columns, weights]),
  ]);
}

/**
 * The arrays are views of `file`: it must not change afterwards.
 * @throws {ModelFileError} when it is not whole, or names items that it does not have
 */
export function decodeModel(file: Buffer): StoredItemModel {
  const bytes = decodeArrays(KIND, file);
  // What the digest of this program's own file protects.
  const { id, ids, blend, weights: counts } = bytes.head as Head;
  const people = bytes.integers(ids.length);
  const [taste, transition, together] = counts.map((count) =>
    checkedWeights({
      offsets: bytes.integers(ids.length + 1),
      columns: bytes.integers(count),
      weights: bytes.floats(count),
    }),
  );
  if (!taste || !transition || !together) throw new ArrayFileError('a part of the model is missing');
  return { id, ids, blend, people, taste, transition, together };
}

function checkedWeights(part: ItemWeights): ItemWeights {
  const { offsets, columns } = part;
  const items = offsets.length - 1;
  for (let item = 0; item < items; item += 1) {
    if ((offsets[item] as number) > (offsets[item + 1] as number))
      throw new ArrayFileError('rows of the model overlap');
  }
  if (offsets[0] !== 0 || offsets[items] !== columns.length) throw new ArrayFileError('rows of the model are missing');
  for (const column of columns)
    if (column >= items) throw new ArrayFileError('the model names an item it does not have');
  return part;
}
