/** Noun phrases and names of an English text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODER_FILES } from '../../encoder/files.ts';
import { readSentencePieceModel } from '../../encoder/sentencePiece.ts';
import type { Findings, Name, NameSpan, NameType, Reader, ReadWord } from '../common/types.ts';
import { mendNames } from './mendNames.ts';
import { loadEnglishNetwork } from './network/englishNetwork.ts';
import { loadWordLists } from './nouns.ts';
import { outsideShouting } from '../common/shouted.ts';
import { findPhrases } from './phrases.ts';
import { weighNames } from './weighNames.ts';

/** Rarity of a word that the vocabulary does not have as a whole. */
const MAX_RARITY = 6.2;
/** Rarity of every word if there is no vocabulary. */
const MEAN_RARITY = 5.2;

/**
 * Loads the reader.
 * @param folders of the network's files, and of the sentence encoder's, whose vocabulary gives word frequencies
 * @throws Error if a file is missing or not as expected
 */
export function loadEnglish(folders: { network: string; encoder: string | null }): Reader {
  const { singularOf, isVerb } = loadWordLists(folders.network);
  const read = loadEnglishNetwork(folders.network, isVerb);
  const lexicon = { singularOf, rarityOf: raritiesOf(folders.encoder) };
  return {
    read(text): Findings {
      const reading = read(text);
      const { words } = reading;
      const isOutsideShouting = outsideShouting(words);
      const credible = mendNames(words, weighNames(reading, isVerb)).filter(
        (span) => isCredible(span, words) && isOutsideShouting(span),
      );
      const inNames = new Map<number, NameType>();
      for (const { type, from, to } of credible)
        for (let place = from; place < to; place += 1) inNames.set(place, type);
      return {
        phrases: findPhrases(words, inNames, lexicon),
        names: credible.flatMap((span) => nameOf(span, words, text) ?? []),
      };
    },
  };
}

/**
 * Returns the rarities of words. A vocabulary has these only for words that are one piece, which are the 30,000 most
 * frequent ones.
 */
function raritiesOf(folder: string | null): (word: string) => number {
  if (folder === null) return () => MEAN_RARITY;
  const { pieces, scores } = readSentencePieceModel(readFileSync(join(folder, ENCODER_FILES.vocabulary.name)));
  const rarities = new Map<string, number>();
  pieces.forEach((piece, index) => {
    if (/^▁[a-z]{2,}$/.test(piece)) rarities.set(piece.slice(1), -(scores[index] ?? 0) / Math.LN10);
  });
  return (word) => Math.min(MAX_RARITY, rarities.get(word) ?? MAX_RARITY);
}

/**
 * Returns whether a name is credible: names have capitals and are proper nouns, but the network sometimes mistakes an
 * unknown word at the start of a sentence for one.
 */
function isCredible({ from, to }: NameSpan, words: readonly ReadWord[]): boolean {
  const own = words.slice(from, to);
  const proper = own.filter(({ pos, text }) => pos.startsWith('NNP') && /^\p{Lu}/u.test(text));
  if (proper.length === 0) return false;
  // «USB-C» is a common noun, and so are other abbreviations before a hyphen.
  const next = words[to];
  return !(next?.pos === 'HYPH' && next.start === own.at(-1)?.end);
}

/** Words that distinguish organisations from people. */
const ORGANISATION =
  /\b(?:council|trust|university|college|institute|company|inc|ltd|llc|corp|group|bank|foundation|federation|agency|ministry|department|association|club|school|museum|hospital|office|centre|center|society|union|party|press|studio|media|labs?)\b/i;

function typeOf({ type, from, to }: NameSpan, words: readonly ReadWord[]): NameType {
  const name = words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
  if (type !== 'place' && ORGANISATION.test(name)) return 'organization';
  return type;
}

/** Returns the name without its article and the possessive ’s. */
function nameOf(span: NameSpan, words: readonly ReadWord[], text: string): Name | null {
  const { from, to } = span;
  let own = words.slice(from, to);
  while (own.length > 1 && /^(?:the|a|an)$/i.test(own[0]?.text ?? '')) own = own.slice(1);
  while (own.length > 0 && /^(?:['’]s|['’]|[.,;:])$/.test(own.at(-1)?.text ?? '')) own = own.slice(0, -1);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    type: typeOf(span, words),
    name: text.slice(first.start, last.end).replace(/\s+/g, ' '),
    start: first.start,
  };
}
