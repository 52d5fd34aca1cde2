/** The file of a model: the number of people of each item; then the offsets, columns and weights of each part. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ArrayFileError,
  decodeArrays,
  decodeReceived,
  encodeArrays,
  type ArrayFile,
  type ReceivedFile,
} from './arrayFile.ts';
import { MAX_MODEL_ITEMS, type Blend, type ItemModel, type ItemWeights } from './itemModel.ts';

/** A model with the data that the next training needs. */
export interface StoredItemModel extends ItemModel {
  /** For each item, how many people had met it when its column of weights was solved. */
  people: Uint32Array;
}

/** The bytes are not a model, or have a version that this program cannot read. */
export { ArrayFileError as ModelFileError } from './arrayFile.ts';

const KIND = 'ATIM';

const PARTS = ['taste', 'transition', 'together'] as const;

interface Head {
  id: string;
  blend: Blend;
  ids: string[];
  /** Number of weights of each part, in the order of {@link PARTS}. */
  weights: number[];
}

/** @throws {ModelFileError} when there are more than {@link MAX_MODEL_ITEMS} items, or the file is too large */
export function encodeModel(model: StoredItemModel): Buffer {
  const { id, blend, ids } = model;
  if (ids.length > MAX_MODEL_ITEMS) throw new ArrayFileError(`a model of ${ids.length} items is too large`);
  const parts = PARTS.map((part) => model[part]);
  const head: Head = { id, blend, ids: [...ids], weights: parts.map(({ columns }) => columns.length) };
  return encodeArrays(KIND, head, [
    model.people,
    ...parts.flatMap(({ offsets, columns, weights }) => [offsets, columns, weights]),
  ]);
}

/**
 * Decodes a model. Its arrays are views of `file`, which must not change afterwards.
 * @throws {ModelFileError} when the file is incomplete, or refers to items that it does not have
 */
export function decodeModel(file: Buffer): StoredItemModel {
  const model = unpack(decodeArrays(KIND, file));
  for (const _checked of check(model));
  return model;
}

/** Does the same in small pieces, between which the process answers questions. @throws {ModelFileError} */
export async function decodeModelInTurns(file: ReceivedFile): Promise<StoredItemModel> {
  const model = unpack(decodeReceived(KIND, file));
  for (const _checked of check(model)) await nextTurn();
  return model;
}

function unpack(bytes: ArrayFile): StoredItemModel {
  // The digest was checked, so the head is as this program wrote it.
  const { id, ids, blend, weights: counts } = bytes.head as Head;
  const people = bytes.integers(ids.length);
  const [taste, transition, together] = counts.map((count) => ({
    offsets: bytes.integers(ids.length + 1),
    columns: bytes.integers(count),
    weights: bytes.floats(count),
  }));
  if (!taste || !transition || !together) throw new ArrayFileError('a part of the model is missing');
  return { id, ids, blend, people, taste, transition, together };
}

/** Weights checked between two turns, which takes a millisecond. */
const CHECKED_IN_A_TURN = 500_000;

/** Checks a model, and yields now and then. @throws {ArrayFileError} */
function* check(model: StoredItemModel): Generator<void> {
  for (const part of PARTS) {
    checkRows(model[part]);
    const { offsets, columns } = model[part];
    for (let from = 0; from < columns.length; from += CHECKED_IN_A_TURN) {
      checkColumns(columns.subarray(from, from + CHECKED_IN_A_TURN), offsets.length - 1);
      yield;
    }
  }
}

function checkRows({ offsets, columns }: ItemWeights): void {
  const items = offsets.length - 1;
  for (let item = 0; item < items; item += 1) {
    if ((offsets[item] as number) > (offsets[item + 1] as number))
      throw new ArrayFileError('the rows of the model overlap');
  }
  if (offsets[0] !== 0 || offsets[items] !== columns.length)
    throw new ArrayFileError('some rows of the model are missing');
}

function checkColumns(columns: Uint32Array, items: number): void {
  for (const column of columns)
    if (column >= items) throw new ArrayFileError('the model refers to an item that it does not have');
}
