/**
 * Samples the people of an experiment without a list of them: each person draws a slot and a mark, and a slot keeps the
 * smallest mark. A person draws the same each time, so somebody who comes a hundred times counts once.
 */
import { hash } from 'node:crypto';

/** Maximum number of sampled people of an experiment. */
export const SLOTS = 2 ** 14;
/** Marks are below this number, so that slot and mark together are 48 bits of a hash. */
const MARKS = 2 ** 34;
const BYTES = 6;

/** The slot and the mark that a person draws in an experiment. */
export interface Lot {
  slot: number;
  mark: number;
}

/** @param key the person's permanent key, by which the variant is assigned too */
export function lotOf(experimentId: string, key: string): Lot {
  // Four texts are hashed here, and three where variants are drawn (assignVariant.ts), so a lot says nothing about the
  // variant.
  const drawn = hash('sha256', JSON.stringify(['sample', experimentId, key, '']), 'buffer').readUIntBE(0, BYTES);
  return { slot: Math.floor(drawn / MARKS), mark: drawn % MARKS };
}

/** The sampled people of a variant. */
export interface Sampled {
  people: number;
  /** Sum of their marks. */
  marks: number;
}

/**
 * Estimates the number of people of each variant. The marks of a slot are distributed like the arrivals of a Poisson
 * process, and an empty slot is one without an arrival so far. The result is the maximum-likelihood estimate of the
 * rate.
 */
export function peopleOf(sample: readonly Sampled[]): number[] {
  const sampled = sample.reduce((sum, { people }) => sum + people, 0);
  const marks = sample.reduce((sum, one) => sum + one.marks, 0);
  const exposure = 1 - sampled / SLOTS + marks / MARKS / SLOTS;
  return sample.map(({ people }) => Math.round(people / exposure));
}
