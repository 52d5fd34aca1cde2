/** Vectors of items: one for each, made of those of its search chunks, in eight bits a number. */

/** A unit vector times 127, rounded: the cosine of two is their product over 127². */
export type ItemVector = Int8Array;

const SCALE = 127;

/** An item with the model of its vector: vectors of two models have nothing to say of each other. */
export interface PlacedItem {
  vector: ItemVector;
  model: string;
}

/**
 * From this cosine on an item counts as one that suppress_similar_days means: other sizes and parts of the same thing,
 * not everything on its subject.
 */
const SUPPRESSED_FROM = 0.85;

/**
 * The direction of the sum of an item's chunk vectors.
 * @param chunks unit vectors of one model
 * @returns null when there is none, or they cancel each other out
 */
export function itemVector(chunks: readonly Float32Array[]): ItemVector | null {
  const dimension = chunks[0]?.length ?? 0;
  const sum = new Float64Array(dimension);
  for (const chunk of chunks) for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] ?? 0) + (chunk[at] ?? 0);
  const length = Math.hypot(...sum);
  if (!(length > 1e-6)) return null;
  return Int8Array.from(sum, (value) => Math.round((value / length) * SCALE));
}

/** The cosine, within 0.01 of that of the vectors they were made of. */
export function cosine(a: ItemVector, b: ItemVector): number {
  if (a.length !== b.length) return 0;
  let product = 0;
  for (let at = 0; at < a.length; at += 1) product += (a[at] ?? 0) * (b[at] ?? 0);
  return product / (SCALE * SCALE);
}

/** Whether an item is so near to one of those that are suppressed that it is suppressed as well. */
export function isSuppressed(item: PlacedItem, suppressed: readonly PlacedItem[]): boolean {
  return suppressed.some(({ model, vector }) => model === item.model && cosine(vector, item.vector) >= SUPPRESSED_FROM);
}
