/**
 * Vectors of the 250,000 most frequent Russian word forms in news (navec, in the package `natasha`): 300 numbers per
 * word, stored by product quantisation: each group of three numbers is one of 256 shared groups, so the vectors take
 * only 25 MB. The list of words takes 8 MB.
 */
import { gunzipSync } from 'node:zlib';
import { readTar } from '../common/tar.ts';
import { createWordIndex } from '../common/wordIndex.ts';

const HEADER_BYTES = 16;
const UNKNOWN = '<unk>';

export interface WordVectors {
  dimension: number;
  /** Returns the row of a word in lower case; the row of unknown words if it has none. */
  rowOf(word: string): number;
  /** Writes the numbers of that row. */
  copy(row: number, to: Float32Array, at: number): void;
  /** Returns how often the word occurred in the training texts; 0 if it is unknown. */
  countOf(word: string): number;
  /** The number of all words in those texts. */
  total: number;
}

/** @throws RangeError if it is not such an archive */
export function readWordVectors(archive: Buffer): WordVectors {
  const file = readTar(archive);
  const { counts, list } = readVocabulary(gunzipSync(file('vocab.bin')));
  const rowOfWord = createWordIndex(list);
  const unknown = rowOfWord(UNKNOWN);
  if (unknown === undefined) throw new RangeError('the vectors have no row for unknown words');

  const vectors = file('pq.bin');
  const [rows, dimension, parts, centroids] = [0, 4, 8, 12].map((at) => vectors.readUInt32LE(at));
  if (!rows || !dimension || !parts || !centroids) throw new RangeError('the file of vectors is damaged');
  // Copied, so that the archive itself is not retained.
  const indexes = Uint8Array.from(vectors.subarray(HEADER_BYTES, HEADER_BYTES + rows * parts));
  const codes = new Float32Array(Uint8Array.from(vectors.subarray(HEADER_BYTES + rows * parts)).buffer);
  const chunk = dimension / parts;

  return {
    dimension,
    total: counts.reduce((sum, count) => sum + count, 0),
    rowOf: (word) => rowOfWord(word) ?? unknown,
    copy(row, to, at) {
      for (let part = 0; part < parts; part += 1) {
        const from = (part * centroids + (indexes[row * parts + part] ?? 0)) * chunk;
        for (let place = 0; place < chunk; place += 1) to[at + part * chunk + place] = codes[from + place] ?? 0;
      }
    },
    countOf(word) {
      const row = rowOfWord(word);
      return row === undefined ? 0 : (counts[row] ?? 0);
    },
  };
}

/** Reads the number of words, their counts, and the words, one a line. */
function readVocabulary(file: Buffer): { counts: Uint32Array; list: Buffer } {
  const count = file.readUInt32LE(0);
  const listAt = 4 + count * 4;
  return {
    counts: new Uint32Array(Uint8Array.from(file.subarray(4, listAt)).buffer),
    list: Buffer.from(file.subarray(listAt)),
  };
}
