import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { decodeModel, encodeModel, ModelFileError, type StoredItemModel } from '../../../output/models/modelFile.ts';
import { readModel } from '../../../output/models/modelStore.ts';

const weights = (rows: readonly (readonly [number, number])[][]) => ({
  offsets: Uint32Array.from([0, ...rows.map((_, at) => rows.slice(0, at + 1).flat().length)]),
  columns: Uint32Array.from(rows.flat(), ([column]) => column),
  weights: Float32Array.from(rows.flat(), ([, weight]) => weight),
});
const model: StoredItemModel = {
  id: 'm-1',
  ids: ['a', 'б', 'c d'],
  people: Uint32Array.of(3, 2, 1),
  taste: weights([
    [[1, 0.5]],
    [
      [0, -0.25],
      [2, 2],
    ],
    [],
  ]),
  transition: weights([[], [], [[0, 1]]]),
  together: weights([[], [], []]),
  blend: { halfLifeEvents: 5, taste: 1, transition: 0.5, content: 0.25, popularity: 0.1 },
};

describe('the file of a model', () => {
  it('is decoded completely, at any offset in memory', () => {
    const file = encodeModel(model);
    expect(decodeModel(file)).toEqual(model);
    const shifted = Buffer.concat([Buffer.alloc(1), file]).subarray(1);
    expect(decodeModel(shifted)).toEqual(model);
  });

  it('is refused if a bit is wrong, if it is cut off, or if it is something else', () => {
    const file = encodeModel(model);
    for (const at of [0, 4, 8, 20, file.length - 40, file.length - 1]) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(() => decodeModel(damaged)).toThrow(ModelFileError);
    }
    expect(() => decodeModel(file.subarray(0, -4))).toThrow(ModelFileError);
    expect(() => decodeModel(Buffer.alloc(0))).toThrow(ModelFileError);
  });

  it('is refused when it names items that it does not have', () => {
    expect(() => decodeModel(encodeModel({ ...model, taste: weights([[[3, 1]], [], []]) }))).toThrow(ModelFileError);
  });
});

/** Reads a file that arrives in pieces of a few bytes. */
function readInPieces(file: Buffer, size = file.length) {
  const pieces = Array.from({ length: Math.ceil(file.length / 7) }, (_, at) => file.subarray(7 * at, 7 * at + 7));
  return readModel({ open: () => Promise.resolve({ stream: Readable.from(pieces), size }) }, 'model');
}

describe('a model that is read while the process answers', () => {
  it('is the model that was written', async () => {
    expect(await readInPieces(encodeModel(model))).toEqual(model);
  });

  it('is refused when it is damaged, shorter or longer than announced, or names items that it does not have', async () => {
    const file = encodeModel(model);
    const damaged = Buffer.from(file);
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    const foreign = encodeModel({ ...model, taste: weights([[[3, 1]], [], []]) });
    await expect(readInPieces(damaged)).rejects.toThrow(ModelFileError);
    await expect(readInPieces(file.subarray(0, -8), file.length)).rejects.toThrow(ModelFileError);
    await expect(readInPieces(file, file.length - 8)).rejects.toThrow(ModelFileError);
    await expect(readInPieces(foreign)).rejects.toThrow(ModelFileError);
  });
});
