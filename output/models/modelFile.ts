/**
 * A model as a file. All numbers are little-endian.
 *
 * - 16 bytes: `ATIM`, the version of this form, the bytes of the head, and 0 (32 bits each);
 * - the head, JSON in UTF-8: id, blend, ids of the items, and how many weights each part has; spaces up to a multiple of 4;
 * - `people` (32 bits an item); then of each part offsets, columns (32-bit integers) and weights (32-bit floats);
 * - SHA-256 of all before it.
 */
import { createHash } from 'node:crypto';
import type { Blend, ItemModel, ItemWeights } from './itemModel.ts';

/** A model with what training has to know of it for the next one. */
export interface StoredItemModel extends ItemModel {
  /** Of each item, how many people had met it when the column of its weights was solved. */
  people: Uint32Array;
}

/** The bytes are no model, or none that this version reads. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
}

const MAGIC = 0x4d49_5441;
const VERSION = 1;
const START_BYTES = 16;
const DIGEST_BYTES = 32;
/** Larger than any model of {@link MAX_ITEMS} items with their weights in all parts. */
export const MAX_MODEL_BYTES = 1 << 30;
export const MAX_ITEMS = 200_000;

const PARTS = ['taste', 'transition', 'together'] as const;

interface Head {
  id: string;
  blend: Blend;
  ids: string[];
  /** In the order of {@link PARTS}. */
  weights: number[];
}

/** @throws {ModelFileError} for more than {@link MAX_ITEMS} items or {@link MAX_MODEL_BYTES} */
export function encodeModel(model: StoredItemModel): Buffer {
  const { id, blend, ids } = model;
  if (ids.length > MAX_ITEMS) throw new ModelFileError(`a model of ${ids.length} items is too large`);
  const counts = PARTS.map((part) => model[part].columns.length);
  const json = JSON.stringify({ id, blend, ids: [...ids], weights: counts } satisfies Head);
  const head = Buffer.from(json + ' '.repeat((4 - (Buffer.byteLength(json) % 4)) % 4));
  const start = Buffer.alloc(START_BYTES);
  for (const [at, word] of [MAGIC, VERSION, head.length].entries()) start.writeUInt32LE(word, at * 4);
  const columns = PARTS.map((part) => model[part]).flatMap(({ offsets, columns, weights }) => [
    offsets,
    columns,
    weights,
  ]);
  const chunks = [start, head, ...[model.people, ...columns].map(bytesOf)];
  if (sizeOf(chunks) > MAX_MODEL_BYTES) throw new ModelFileError(`a model of ${sizeOf(chunks)} bytes is too large`);
  const digest = createHash('sha256');
  for (const chunk of chunks) digest.update(chunk);
  return Buffer.concat([...chunks, digest.digest()]);
}

/**
 * The arrays are views of `file` when it allows that: it must not change afterwards.
 * @throws {ModelFileError} when it is not whole, or names items that it does not have
 */
export function decodeModel(file: Buffer): StoredItemModel {
  const bytes = aligned(file);
  const body = checkedBody(bytes);
  const headEnd = START_BYTES + bytes.readUInt32LE(8);
  const head = readHead(body.subarray(START_BYTES, headEnd));
  const take = arrayReader(body, headEnd);
  const people = take(Uint32Array, head.ids.length);
  const parts = head.weights.map((count): ItemWeights => {
    const offsets = take(Uint32Array, head.ids.length + 1);
    return checkedWeights({ offsets, columns: take(Uint32Array, count), weights: take(Float32Array, count) });
  });
  const [taste, transition, together] = parts;
  if (!taste || !transition || !together) throw new ModelFileError('a part of the model is missing');
  return { id: head.id, ids: head.ids, blend: head.blend, people, taste, transition, together };
}

/** Typed arrays over a buffer begin at multiples of 4. */
function aligned(file: Buffer): Buffer {
  if (file.byteOffset % 4 === 0) return file;
  const copy = Buffer.from(new ArrayBuffer(file.length));
  file.copy(copy);
  return copy;
}

function checkedBody(file: Buffer): Buffer {
  if (file.length < START_BYTES + DIGEST_BYTES || file.readUInt32LE(0) !== MAGIC)
    throw new ModelFileError('this is no model');
  if (file.readUInt32LE(4) !== VERSION) throw new ModelFileError('a model of another version');
  const body = file.subarray(0, file.length - DIGEST_BYTES);
  if (!createHash('sha256').update(body).digest().equals(file.subarray(body.length)))
    throw new ModelFileError('the model is damaged');
  return body;
}

function readHead(bytes: Buffer): Head {
  return JSON.parse(bytes.toString()) as Head;
}

type ArrayOf<T> = {
  new (buffer: ArrayBufferLike, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
};

function arrayReader(body: Buffer, from: number): <T>(of: ArrayOf<T>, length: number) => T {
  let at = from;
  return (of, length) => {
    const begin = at;
    at += length * of.BYTES_PER_ELEMENT;
    if (at > body.length) throw new ModelFileError('the model ends too early');
    return new of(body.buffer, body.byteOffset + begin, length);
  };
}

function checkedWeights(part: ItemWeights): ItemWeights {
  const { offsets, columns } = part;
  const items = offsets.length - 1;
  for (let item = 0; item < items; item += 1) {
    if ((offsets[item] as number) > (offsets[item + 1] as number))
      throw new ModelFileError('rows of the model overlap');
  }
  if (offsets[0] !== 0 || offsets[items] !== columns.length) throw new ModelFileError('rows of the model are missing');
  for (const column of columns)
    if (column >= items) throw new ModelFileError('the model names an item it does not have');
  return part;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
