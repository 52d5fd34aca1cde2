/**
 * Names in sentences in capitals: every word looks like a name there, and the networks find names that do not exist.
 */
import type { NameSpan, TaggedWord } from './types.ts';

/** Fewer words in capitals may be a heading that is a name: «АННА КАРЕНИНА». */
const LEAST_WORDS = 4;
/** «ЮНЕСКО». */
const MAX_ACRONYM = 6;

/**
 * Returns a function that tells whether a name is credible: in a sentence in capitals, only the full name of a person
 * is.
 */
export function allCapsFilter(words: readonly TaggedWord[]): (span: NameSpan) => boolean {
  const shouted = new Set<number>();
  for (const [sentence, own] of Map.groupBy(words, (word) => word.sentence)) {
    const written = own.filter(isWritten);
    const isInCapitals = written.length >= LEAST_WORDS && written.every(({ text }) => text === text.toUpperCase());
    if (isInCapitals && !areAcronyms(own)) shouted.add(sentence);
  }
  return ({ type, from, to }) =>
    !shouted.has(words[from]?.sentence ?? -1) || (type === 'person' && to - from > 1 && to - from < 4);
}

function isWritten({ text }: TaggedWord): boolean {
  return /^\p{L}{2}/u.test(text);
}

/** Returns whether a sentence lists acronyms: short words, most of them apart («США, ООН, НАТО, ЕС»). */
function areAcronyms(words: readonly TaggedWord[]): boolean {
  const written = words.filter(isWritten);
  const adjoining = words.filter((word, index) => isWritten(word) && words.slice(index + 1, index + 2).some(isWritten));
  return written.every(({ text }) => text.length <= MAX_ACRONYM) && adjoining.length * 2 <= written.length;
}
