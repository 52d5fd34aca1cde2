/**
 * Sketches of vectors: 512 bits that approximate the angle between two vectors, an eighth of the size of the numbers
 * and much faster to compare. They find vectors that may be near; the vectors themselves then give the distance.
 *
 * Each bit is the side of a plane through the origin on which the vector lies. Two vectors at the angle θ differ in the
 * bit of a random plane with the probability θ/π (Charikar, "Similarity estimation techniques from rounding
 * algorithms", 2002). The planes come from a randomised Hadamard transform (Ailon and Chazelle, "The fast
 * Johnson–Lindenstrauss transform", 2009). It is applied twice, since vectors made of words are mostly zeros.
 */

export const SKETCH_BITS = 512;
export const SKETCH_BYTES = SKETCH_BITS / 8;

const ROUNDS = 2;
/**
 * In standard deviations: one in 700 pairs exactly at the bound differs in more bits, and hardly any pair that is
 * nearer.
 */
const MARGIN = 3;

/** Writes the sketch of a vector of any dimension into {@link SKETCH_BYTES} bytes. */
export function sketchInto(into: Uint8Array, vector: Int8Array): void {
  const turned = rotated(vector);
  for (let byte = 0; byte < SKETCH_BYTES; byte += 1) {
    let bits = 0;
    for (let bit = 0; bit < 8; bit += 1) if ((turned[byte * 8 + bit] as number) > 0) bits |= 1 << bit;
    into[byte] = bits;
  }
}

/**
 * Returns the maximum number of bits in which the sketches of two vectors with at least this cosine differ, except in
 * rare cases.
 */
export function maxDifferentBits(cosine: number): number {
  const share = Math.acos(Math.max(-1, Math.min(1, cosine))) / Math.PI;
  return Math.ceil(SKETCH_BITS * share + MARGIN * Math.sqrt(SKETCH_BITS * share * (1 - share)));
}

/** Buffers by length, reused by every rotation: vectors are rotated one at a time. */
const buffers = new Map<number, { numbers: Int32Array; signs: Int8Array[] }>();

function buffersFor(length: number): { numbers: Int32Array; signs: Int8Array[] } {
  const known = buffers.get(length);
  if (known) return known;
  const signs = Array.from({ length: ROUNDS }, (_, round) =>
    Int8Array.from({ length }, (__, index) => signOf(round * length + index)),
  );
  const made = { numbers: new Int32Array(length), signs };
  buffers.set(length, made);
  return made;
}

/** Rotates a vector. The sums always fit into 32 bits up to a dimension of 4,096, and usually far above that. */
function rotated(vector: Int8Array): Int32Array {
  // The length is a power of two with at least one number per bit.
  const length = 2 ** Math.ceil(Math.log2(Math.max(SKETCH_BITS, vector.length)));
  const { numbers, signs } = buffersFor(length);
  numbers.fill(0);
  numbers.set(vector);
  for (const ofRound of signs) {
    for (let at = 0; at < length; at += 1) numbers[at] = Math.imul(numbers[at] as number, ofRound[at] as number);
    transform(numbers);
  }
  return numbers;
}

/** Applies the Walsh–Hadamard transform in place. */
function transform(numbers: Int32Array): void {
  for (let half = 1; half < numbers.length; half *= 2)
    for (let from = 0; from < numbers.length; from += 2 * half)
      for (let at = from; at < from + half; at += 1) {
        const a = numbers[at] as number;
        const b = numbers[at + half] as number;
        numbers[at] = (a + b) | 0;
        numbers[at + half] = (a - b) | 0;
      }
}

/** Returns 1 or −1 from a bit of MurmurHash3's finaliser (public domain, Austin Appleby). */
function signOf(index: number): number {
  let mixed = Math.imul(index ^ (index >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) & 1) === 0 ? 1 : -1;
}
