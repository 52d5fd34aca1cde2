/** Assigns people to the variants of an experiment. */
import { hash, randomBytes } from 'node:crypto';
import type { Variant } from '../output/surfaces.ts';

/** 48 bits of a hash are uniform enough for any share. */
const BYTES = 6;
const SPAN = 2 ** (8 * BYTES);

/**
 * Returns the index of a person's variant: the same each time, and each variant gets its share of the people.
 *
 * Weighted rendezvous hashing (Schindelhauer and Schomaker, "Weighted distributed hash tables", 2005): every variant
 * draws a number from experiment, person and its own name, and the largest −share ÷ ln(number) wins. When a share
 * grows, people move only to that variant; adjacent ranges of a hash would also move people between variants whose
 * shares did not change.
 *
 * @param key the person's permanent key (db/output/person/personKey.ts); null when the person is unknown, and assigned
 *   randomly each time
 * @param variants at least one with a share above 0
 */
export function assignVariant(
  experimentId: string,
  key: string | null,
  variants: readonly Pick<Variant, 'name' | 'share'>[],
): number {
  const drawn = key ?? randomBytes(16).toString('base64');
  const scores = variants.map(({ name, share }) =>
    share > 0 ? -share / Math.log(numberOf(experimentId, name, drawn)) : -1,
  );
  return scores.indexOf(Math.max(...scores));
}

/** Returns a number above 0 and below 1. */
function numberOf(...texts: readonly string[]): number {
  const digest = hash('sha256', JSON.stringify(texts), 'buffer');
  return (digest.readUIntBE(0, BYTES) + 0.5) / SPAN;
}
