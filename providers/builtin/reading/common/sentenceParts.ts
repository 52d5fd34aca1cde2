/** Divides the tokens of a text into parts of whole sentences that a network reads at once. */
import { splitSentences } from '../../text/sentences.ts';

interface Placed {
  start: number;
}

export type InSentence<T> = T & {
  /** Number of the token's sentence in the text, from 0. */
  sentence: number;
};

/**
 * Returns the parts in the order of the text.
 * @param tokens of the text, in order; `start` is an offset in UTF-16 code units
 * @param maxTokens maximum number of tokens in a part; a longer sentence is cut
 */
export function sentenceParts<T extends Placed>(
  text: string,
  tokens: readonly T[],
  maxTokens: number,
): InSentence<T>[][] {
  const parts: InSentence<T>[][] = [];
  for (const sentence of Map.groupBy(inSentences(text, tokens), (token) => token.sentence).values())
    for (let at = 0; at < sentence.length; at += maxTokens) {
      const piece = sentence.slice(at, at + maxTokens);
      const last = parts.at(-1);
      if (last !== undefined && last.length + piece.length <= maxTokens) last.push(...piece);
      else parts.push(piece);
    }
  return parts;
}

function inSentences<T extends Placed>(text: string, tokens: readonly T[]): InSentence<T>[] {
  const starts = splitSentences(text).map(({ start }) => start);
  let sentence = 0;
  return tokens.map((token) => {
    while (token.start >= (starts[sentence + 1] ?? Infinity)) sentence += 1;
    return { ...token, sentence };
  });
}
