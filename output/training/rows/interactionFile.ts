/** The data of a training as a file that any worker can continue from. */
import { decodeArrays, encodeArrays } from '../../models/arrayFile.ts';
import type { Interactions } from './interactions.ts';

const KIND = 'ATIX';

export interface TrainingData {
  interactions: Interactions;
  /** Items whose events were removed or moved since the published model, as far as this data shows it. */
  forgottenItems: readonly string[];
  /** Rows that recorded these removals (db/training/models.ts publishModel). */
  forgottenRows: readonly string[];
}

interface Head {
  ids: string[];
  people: number;
  events: number;
  forgottenItems: string[];
  forgottenRows: string[];
}

export function encodeTrainingData({ interactions, forgottenItems, forgottenRows }: TrainingData): Buffer {
  const { ids, offsets, items, seconds, weights, baskets } = interactions;
  const head: Head = {
    ids: [...ids],
    people: offsets.length - 1,
    events: items.length,
    forgottenItems: [...forgottenItems],
    forgottenRows: [...forgottenRows],
  };
  return encodeArrays(KIND, head, [offsets, items, seconds, weights, baskets]);
}

/** @throws {ArrayFileError} */
export function decodeTrainingData(file: Buffer): TrainingData {
  const bytes = decodeArrays(KIND, file);
  const { ids, people, events, forgottenItems, forgottenRows } = bytes.head as Head;
  const interactions = {
    ids,
    offsets: bytes.integers(people + 1),
    items: bytes.integers(events),
    seconds: bytes.integers(events),
    weights: bytes.floats(events),
    baskets: bytes.integers(events),
  };
  return { interactions, forgottenItems, forgottenRows };
}
