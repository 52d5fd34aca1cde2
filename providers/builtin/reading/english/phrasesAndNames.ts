/** Noun phrases and names of an English text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODER_FILES } from '../../encoder/encoderFiles.ts';
import { readSentencePieceModel } from '../../encoder/sentencePiece.ts';
import type { Findings, Name, NameSpan, NameType, Reader, TaggedWord } from '../common/types.ts';
import { correctNames } from './correctNames.ts';
import { loadEnglishNetwork } from './network/englishNetwork.ts';
import { loadWordLists } from './nouns.ts';
import { allCapsFilter } from '../common/shouted.ts';
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
  const { singularOf, isKnownNoun, isVerb } = loadWordLists(folders.network);
  const read = loadEnglishNetwork(folders.network, isVerb);
  const lexicon = { singularOf, isKnownNoun, rarityOf: raritiesOf(folders.encoder) };
  return {
    read(text): Findings {
      const reading = read(text);
      const { words } = reading;
      const isOutsideShouting = allCapsFilter(words);
      const credible = correctNames(words, weighNames(reading, { isVerb, isKnownNoun })).filter(
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
function isCredible({ from, to }: NameSpan, words: readonly TaggedWord[]): boolean {
  const own = words.slice(from, to);
  const first = words[from];
  const opens = words[from - 1]?.sentence !== first?.sentence;
  // Within a sentence a capital is enough: the tagger takes «Leeds» for a plural.
  const proper = own.filter(
    ({ pos, text }, index) =>
      /^\p{Lu}/u.test(text) && (pos.startsWith('NNP') || (pos.startsWith('NN') && (index > 0 || !opens))),
  );
  if (proper.length === 0) return false;
  // «USB-C» is a common noun, and so are other abbreviations before a hyphen.
  const next = words[to];
  return !(next?.pos === 'HYPH' && next.start === own.at(-1)?.end);
}

/** Words that distinguish organisations from people. */
const ORGANISATION =
  /\b(?:council|trust|university|college|institute|company|inc|ltd|llc|corp|group|bank|foundation|federation|agency|ministry|department|association|club|school|museum|hospital|office|centre|center|society|union|party|press|studio|media|labs?)\b/i;

function typeOf({ type, from, to }: NameSpan, words: readonly TaggedWord[]): NameType {
  const name = words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
  if (type !== 'place' && ORGANISATION.test(name)) return 'organization';
  return type;
}

/** Tags of words that cannot belong to a name before them. */
const NOT_OWNED = /^(?:IN|CC|TO|VB[DPZ]|MD|WP|WDT|[.,:])$/;

/** Returns the name without its article and the possessive ’s. */
function nameOf(span: NameSpan, words: readonly TaggedWord[], text: string): Name | null {
  let { from, to } = span;
  while (to - from > 1 && /^(?:the|a|an)$/i.test(words[from]?.text ?? '')) from += 1;
  while (to > from && /^(?:['’]s|['’]|[.,;:])$/.test(words[to - 1]?.text ?? '')) to -= 1;
  const type = typeOf(span, words);
  const [first, last] = [words[from], type === 'organization' && isInName(words, to) ? words[to] : words[to - 1]];
  if (first === undefined || last === undefined || to === from) return null;
  return { type, name: text.slice(first.start, last.end).replace(/\s+/g, ' '), start: first.start };
}

/**
 * Returns whether an ’s is part of a firm's name: in "the retailer Sainsbury's and others" no word follows that the
 * firm could own.
 */
function isInName(words: readonly TaggedWord[], at: number): boolean {
  const [before, own, next] = [words[at - 1], words[at], words[at + 1]];
  const isPossessive = own?.pos === 'POS' && /^['’]s$/.test(own.text) && own.start === before?.end;
  return isPossessive && (next?.sentence !== own.sentence || NOT_OWNED.test(next.pos));
}
