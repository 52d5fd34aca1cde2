import { randomInt } from 'node:crypto';

/** Returns a text of that many characters of the alphabet, from the system's random source. */
export function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
