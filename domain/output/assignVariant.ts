/** Who gets which variant of an experiment. */
import { createHash, randomBytes } from 'node:crypto';
import type { Variant } from './surfaces.ts';

/** 48 bits of a hash are spread as evenly as any share can ask for. */
const BYTES = 6;
const SPAN = 2 ** (8 * BYTES);

/**
 * The place of a person's variant: the same each time, and each variant has its share of the people.
 *
 * Weighted rendezvous hashing (Schindelhauer and Schomaker, "Weighted distributed hash tables", 2005): every variant draws
 * a number from experiment, person and its own name, and the largest −share ÷ ln(number) wins. When a share grows, people
 * change to that variant and between no others; ranges of a hash, put one behind the other, would move people between
 * variants whose shares did not change.
 *
 * @param key what stays with the person (db/output/personKey.ts); null for nobody, who is drawn anew each time
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

/** Above 0 and below 1. */
function numberOf(...texts: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest();
  return (digest.readUIntBE(0, BYTES) + 0.5) / SPAN;
}
