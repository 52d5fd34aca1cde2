/** Compounds with hyphens: "start-up" and "Stoke-on-Trent" are several words for the networks. */
import type { TaggedWord } from '../common/types.ts';

/** Returns the place of the first word of the compound that ends with this word; that of the word itself without one. */
export function startOfCompound(words: readonly TaggedWord[], end: number): number {
  let start = end;
  while (isJoined(words, start)) start -= 2;
  return start;
}

/** Returns the words of the compound that ends here as they are written; a word itself without one. */
export function compoundEndingAt(words: readonly TaggedWord[], end: number): string {
  return words
    .slice(startOfCompound(words, end), end + 1)
    .map(({ text }) => text)
    .join('');
}

/** Returns whether a hyphen joins a word to the one before it, without spaces. */
function isJoined(words: readonly TaggedWord[], place: number): boolean {
  const [before, hyphen, word] = [words[place - 2], words[place - 1], words[place]];
  if (before === undefined || hyphen === undefined || word === undefined || !/^[-‐‑]$/.test(hyphen.text)) return false;
  return before.end === hyphen.start && hyphen.end === word.start && /[\p{L}\p{N}]$/u.test(before.text);
}
