/** English noun phrases in their dictionary form: the last noun in the singular, and the words before it. */
import type { NameType, Phrase, TaggedWord } from '../common/types.ts';
import { COMMON_ADJECTIVES, COMMON_NOUNS, VAGUE_ALONE } from './commonWords.ts';
import { compoundEndingAt, startOfCompound } from './hyphens.ts';
import { isKnownPlace } from './knownPlaces.ts';
import { OFFICES, TITLES } from './nameWords.ts';
import type { SingularOf } from './nouns.ts';

const MAX_MODIFIERS = 2;
/** Months are not modifiers: they say when, not what kind. */
const MONTHS = new Set(
  'january february march april may june july august september october november december'.split(' '),
);
const NOUN = /^NN/;
/** A letter of another alphabet; Greek ones are read: "β blocker". */
const FOREIGN = /(?![\p{Script=Latin}\p{Script=Greek}])\p{L}/u;
const MODIFIER = /^(?:NN|JJ|VBN|VBG|HYPH)/;
/** Units: after a number they are not part of the thing that is measured, as in "2 tbsp olive oil". */
const UNITS = new Set(
  'tbsp tbsps tablespoon tablespoons tsp tsps teaspoon teaspoons cup cups pint pints ml cl dl l g kg mg oz lb lbs'.split(
    ' ',
  ),
);
/** After these, «running» describes a kind of thing; elsewhere it is an action. */
const BEFORE_ADJECTIVE = /^(?:DT|PRP\$|JJ|NN|POS|CD)/;
/** Adjectives with these endings describe a kind of thing; others mostly describe a quality. */
const RELATIONAL = /(?:al|ic|ar|ary|less|ive)$/;

export interface Lexicon {
  singularOf: SingularOf;
  /** Whether a word in lower case is the dictionary form of a noun. */
  isKnownNoun(word: string): boolean;
  /** Returns the rarity of a word: the base-10 logarithm of N, if it is one in N words. */
  rarityOf(word: string): number;
}

/** @param inNames the words that belong to a name, by their places: a name is not a tag */
export function findPhrases(
  words: readonly TaggedWord[],
  inNames: ReadonlyMap<number, NameType>,
  lexicon: Lexicon,
): Phrase[] {
  const phrases: Phrase[] = [];
  for (let head = 0; head < words.length; head += 1) {
    if (!endsPhrase(words, head, inNames)) continue;
    for (const first of beginningsOf(words, head, inNames)) {
      const phrase = phraseOf(words, first, head, lexicon);
      if (phrase !== null) phrases.push(phrase);
    }
  }
  return phrases;
}

/** Returns whether a noun is the last one of its phrase. */
function endsPhrase(words: readonly TaggedWord[], place: number, inNames: ReadonlyMap<number, NameType>): boolean {
  const word = words[place];
  if (word === undefined || !isNoun(word) || inNames.has(place) || isInNumber(words, place)) return false;
  if (isTitleOfName(words, place, inNames)) return false;
  const next = words[place + 1];
  const isPart = next?.pos === 'HYPH' || startOfCompound(words, place + 2) <= place;
  const goesOn = next !== undefined && next.sentence === word.sentence && (isNoun(next) || isPart);
  return !goesOn || inNames.has(place + 1);
}

/** Returns whether a word is the title or office of the person named after it: "Mr Patel", "Prime Minister Tusk". */
function isTitleOfName(words: readonly TaggedWord[], place: number, inNames: ReadonlyMap<number, NameType>): boolean {
  const { text = '' } = words[place] ?? {};
  const word = text.toLowerCase();
  return /^\p{Lu}/u.test(text) && (TITLES.has(word) || OFFICES.has(word)) && inNames.get(place + 1) === 'person';
}

function isNoun({ pos, text }: TaggedWord): boolean {
  return NOUN.test(pos) && /^\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]+$/u.test(text);
}

/**
 * Returns whether a word is part of an amount or of a product's number: the units of "225g", "18V" and "2 tbsp", and
 * "DHP484Z".
 */
function isInNumber(words: readonly TaggedWord[], place: number): boolean {
  const [before, word, next] = [words[place - 1], words[place], words[place + 1]];
  const isUnit =
    UNITS.has(word?.text.toLowerCase() ?? '') && (before?.pos === 'CD' || /^[\d½¼¾⅓⅔]/.test(before?.text ?? ''));
  return (
    isUnit ||
    (before !== undefined && before.end === word?.start && /\d$/.test(before.text)) ||
    (next !== undefined && next.start === word?.end && /^\d/.test(next.text))
  );
}

/** Returns the possible starts of a phrase with that last word, the longest first. */
function beginningsOf(words: readonly TaggedWord[], head: number, inNames: ReadonlyMap<number, NameType>): number[] {
  let first = startOfCompound(words, head);
  const compound = Array.from({ length: head - first }, (_, index) => first + index);
  // "Twelve-year-olds" say how old, "Norrvik-style" has a name in it.
  if (compound.some((place) => words[place]?.pos === 'CD' || inNames.has(place))) return [];
  const beginnings = [first];
  for (let modifiers = 0; modifiers < MAX_MODIFIERS && first > 0; modifiers += 1) {
    const start = startOfModifier(words, first - 1);
    if (start === null || words[start]?.sentence !== words[head]?.sentence) break;
    if (Array.from({ length: first - start }, (_, index) => start + index).some((place) => inNames.has(place))) break;
    const parts = [words[start]?.text ?? '', compoundEndingAt(words, first - 1)].map((text) => text.toLowerCase());
    if (parts.some((part) => COMMON_ADJECTIVES.has(part) || MONTHS.has(part))) break;
    first = start;
    beginnings.unshift(first);
  }
  return beginnings;
}

/** Returns the first word of a modifier that ends here: «four-day» is three words for the tagger. */
function startOfModifier(words: readonly TaggedWord[], end: number): number | null {
  const { text = '', pos = '' } = words[end] ?? {};
  if (!MODIFIER.test(pos) || pos === 'HYPH') return null;
  if (!/\p{L}/u.test(text) || FOREIGN.test(text)) return null;
  if (isInNumber(words, end) || isArticle(words, end)) return null;
  if (pos === 'VBG' && !BEFORE_ADJECTIVE.test(words[end - 1]?.pos ?? '')) return null;
  return startOfCompound(words, end);
}

/** Returns whether a word is an article; the "A" in "many A levels" is not one. */
function isArticle(words: readonly TaggedWord[], place: number): boolean {
  const { text = '', sentence } = words[place] ?? {};
  const opens = words[place - 1]?.sentence !== sentence;
  return /^(?:an?|the)$/.test(text) || (opens && /^(?:An?|The)$/.test(text));
}

function phraseOf(words: readonly TaggedWord[], first: number, head: number, lexicon: Lexicon): Phrase | null {
  const places = Array.from({ length: head - first + 1 }, (_, index) => first + index);
  const modifiers = words.slice(first, startOfCompound(words, head)).filter(isWord);
  const own = places.map((place) => words[place]).filter((word) => word !== undefined);
  const last = own.at(-1);
  const [beginning] = own;
  if (last === undefined || beginning === undefined) return null;
  const noun = lastNoun(last, lexicon);
  const isAlone = own.length === 1;
  // A place is a name, even where the network has not found it, as in a title.
  if (isAlone && /^\p{Lu}/u.test(last.text) && isKnownPlace(last.text)) return null;
  if (COMMON_NOUNS.has(noun.toLowerCase()) || (isAlone && VAGUE_ALONE.has(noun.toLowerCase()))) return null;
  let text = '';
  own.forEach((word, index) => {
    const isApart = index > 0 && word.start > (own[index - 1]?.end ?? 0);
    text += (isApart ? ' ' : '') + (word === last ? noun : spelled(word));
  });
  const content = own.filter(isWord);
  const lemmas = content.map((word) => (word === last ? noun.toLowerCase() : word.text.toLowerCase()));
  return {
    text,
    lemmas,
    start: beginning.start,
    rarity: lemmas.reduce((sum, lemma) => sum + lexicon.rarityOf(lemma), 0) / lemmas.length,
    relevance: null,
    isLoose: modifiers.some(isLoose),
  };
}

function isWord({ pos, text }: TaggedWord): boolean {
  return pos !== 'HYPH' && !/^[-‐‑]$/.test(text);
}

function lastNoun({ text, pos }: TaggedWord, { singularOf, isKnownNoun }: Lexicon): string {
  // The tagger takes some plurals that it does not know for singulars or names.
  if (pos !== 'NNS' && text === text.toLowerCase() && !isKnownNoun(text) && isKnownNoun(singularOf(text)))
    return singularOf(text);
  if (pos.startsWith('NNP')) return text;
  const folded = isShouted(text) || /\p{Ll}\p{Lu}/u.test(text) ? text : text.toLowerCase();
  return pos === 'NNS' ? singularOf(folded) : folded;
}

function isShouted(text: string): boolean {
  return text === text.toUpperCase();
}

/** Returns the spelling; proper nouns, abbreviations and identifiers keep their capitals: "USB-C", "setTimeout". */
function spelled({ text, pos }: TaggedWord): string {
  return pos.startsWith('NNP') || isShouted(text) || /\p{Ll}\p{Lu}/u.test(text) ? text : text.toLowerCase();
}

function isLoose({ pos, text }: TaggedWord): boolean {
  return pos === 'VBN' || (pos.startsWith('JJ') && !RELATIONAL.test(text.toLowerCase()));
}
