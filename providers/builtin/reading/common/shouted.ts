/** Names in sentences in capitals: every word looks like a name there, and the networks find names that do not exist. */
import type { NameSpan, ReadWord } from './types.ts';

/** Fewer words in capitals may be a heading that is a name: «АННА КАРЕНИНА». */
const LEAST_WORDS = 4;

/** Returns a function that says whether a name is credible: in capitals, only people with a first name are. */
export function outsideShouting(words: readonly ReadWord[]): (span: NameSpan) => boolean {
  const shouted = new Set<number>();
  for (const [sentence, own] of Map.groupBy(words, (word) => word.sentence)) {
    const written = own.filter(({ text }) => /^\p{L}{2}/u.test(text));
    if (written.length >= LEAST_WORDS && written.every(({ text }) => text === text.toUpperCase()))
      shouted.add(sentence);
  }
  return ({ type, from, to }) =>
    !shouted.has(words[from]?.sentence ?? -1) || (type === 'person' && to - from > 1 && to - from < 4);
}
