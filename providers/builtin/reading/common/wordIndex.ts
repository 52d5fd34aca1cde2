/**
 * A hash table from words to their places in a list, stored beside the words' bytes; it takes a fifth of the memory of
 * a Map of strings.
 */
import { LRUCache } from 'lru-cache';

const NEWLINE = 10;
const FREE = -1;
/**
 * Number of words whose places are cached. A reader asks for each word of a text several times; encoding, hashing and
 * comparing words was a quarter of its time.
 */
const MAX_REMEMBERED = 4_096;
/** Longer tokens are not words, and would fill the cache. */
const MAX_REMEMBERED_LENGTH = 64;

/**
 * @param list words in UTF-8, one a line
 * @returns a function from a word to its place, or undefined
 */
export function createWordIndex(list: Buffer): (word: string) => number | undefined {
  const starts = startsOf(list);
  const count = starts.length - 1;
  // At most half full, so that few words are compared.
  const mask = 2 ** Math.ceil(Math.log2(count * 2 + 2)) - 1;
  const table = new Int32Array(mask + 1).fill(FREE);
  const start = (place: number): number => starts[place] ?? 0;
  const end = (place: number): number => start(place + 1) - 1;
  for (let place = 0; place < count; place += 1) {
    let slot = hashOf(list, start(place), end(place)) & mask;
    while (table[slot] !== FREE) slot = (slot + 1) & mask;
    table[slot] = place;
  }
  const placeOf = (bytes: Buffer): number => {
    for (let slot = hashOf(bytes, 0, bytes.length) & mask; ; slot = (slot + 1) & mask) {
      const place = table[slot] ?? FREE;
      if (place === FREE || list.compare(bytes, 0, bytes.length, start(place), end(place)) === 0) return place;
    }
  };
  const remembered = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return (word) => {
    let place = remembered.get(word);
    if (place === undefined) {
      const bytes = Buffer.from(word);
      place = placeOf(bytes);
      // Copied, because V8 would keep the whole text in memory for a word that was cut out of it.
      if (word.length <= MAX_REMEMBERED_LENGTH) remembered.set(bytes.toString(), place);
    }
    return place === FREE ? undefined : place;
  };
}

/** Returns the start of each word, and the end of the last plus one. */
function startsOf(list: Buffer): Uint32Array {
  const starts = [0];
  for (let at = list.indexOf(NEWLINE); at >= 0; at = list.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  if (list.at(-1) !== NEWLINE) starts.push(list.length + 1);
  return Uint32Array.from(starts);
}

/** FNV-1a (Fowler, Noll, Vo), 32 bits. */
function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}
