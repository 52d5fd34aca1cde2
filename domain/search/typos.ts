/** Typing errors, counted in characters: an insertion, a deletion, a replacement, or two swapped neighbours. */

/** Returns the number of allowed errors: one from 5 letters on, two from 9. */
export function allowedTypos(word: string): number {
  if (word.length >= 9) return 2;
  return word.length >= 5 ? 1 : 0;
}

/**
 * Returns the letters of a word as bits, so that most words of a vocabulary are excluded without a comparison: each
 * typing error changes at most two bits.
 */
export function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at += 1) mask |= 1 << (word.charCodeAt(at) & 31);
  return mask >>> 0;
}

/** Counts the set bits of 32 (Warren, "Hacker's Delight", 5-1). */
export function countBits(given: number): number {
  let bits = given - ((given >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Returns the optimal string alignment distance of two words (Damerau 1964; restricted as usual: nothing is changed
 * twice).
 * @param isPrefix compares only the best matching prefix of the second word with the first
 * @returns a number above `maxTypos` for any greater distance
 */
export function typosBetween(a: string, b: string, maxTypos: number, isPrefix = false): number {
  if (!isPrefix && Math.abs(a.length - b.length) > maxTypos) return maxTypos + 1;
  const width = Math.min(b.length, a.length + maxTypos) + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column < width; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    if (Math.min(...current) > maxTypos) return maxTypos + 1;
    beforeLast = last;
    last = current;
  }
  const distance = isPrefix ? Math.min(...last) : (last[b.length] ?? maxTypos + 1);
  return distance > maxTypos ? maxTypos + 1 : distance;
}
