/**
 * Russian noun phrases in their dictionary form: a noun in the nominative, the adjectives before it in agreement, and
 * its dependents unchanged: «торможение двигателем», «слабый раствор марганцовки», «прививка от гриппа».
 */
import { foldWord } from '../../text/words.ts';
import type { NameType, Phrase, TaggedWord } from '../common/types.ts';
import { CASES, chooseForm, GENDERS, NAME_GRAMMEMES } from './chooseForm.ts';
import { COMMON_ADJECTIVES, COMMON_NOUNS, MEASURES, VAGUE_ALONE } from './commonWords.ts';
import type { WordVectors } from './navec.ts';
import { createRelevance, type RelevanceOf } from './relevance.ts';
import { agreeing, nominativeOf, spelledAs, type Nominative } from './nominative.ts';
import type { WordForm, WordForms } from './wordForms.ts';

const MAX_ADJECTIVES = 2;
/** Rarity of a word that the corpus does not have. */
const MAX_RARITY = 7.5;
const COMMON_DEGREE = 4.9;
/** The plural is the usual form if it is this many times as frequent as the singular: «кроссовки», «рельсы». */
const PLURAL_PREVAILS = 3;
/** Cases whose forms seldom belong to another number as well. */
const UNAMBIGUOUS_CASES = ['datv', 'ablt'];
/** Nouns of actions, whose instrument is in the instrumental case: «торможение двигателем». */
const ACTION = /(?:ние|тие)$/;
/** Prepositions of purpose and the like: «прививка от гриппа», «мост через Амур». */
const PREPOSITIONS = new Set(['от', 'для', 'по', 'против', 'через', 'без', 'с', 'со']);

/** A noun with its adjectives. */
interface Group {
  head: number;
  /** Places of the agreeing adjectives, in order. */
  adjectives: number[];
}

export interface Lexicon {
  forms: WordForms;
  vectors: WordVectors;
}

/**
 * @param inNames the words that belong to a name, by their places: a name is not a tag, but a place name may depend on
 * a noun
 */
export function findPhrases(
  words: readonly TaggedWord[],
  inNames: ReadonlyMap<number, NameType>,
  lexicon: Lexicon,
): Phrase[] {
  const chosen = words.map((word, place) =>
    /^\p{L}{2}/u.test(word.text) ? chooseForm(lexicon.forms, word, inNames.has(place)) : null,
  );
  const relevanceOf = createRelevance(words, lexicon.vectors);
  const context: Context = { words, chosen, inNames, lexicon, relevanceOf };
  const phrases: Phrase[] = [];
  for (let head = 0; head < words.length; head += 1) {
    if (!isHead(context, head) || inNames.has(head)) continue;
    const group = groupBefore(context, head);
    const noun = nounOf(context, head);
    if (noun === null) continue;
    const dependent = dependentAfter(context, head);
    if (dependent !== null && !dependent.isLoose && MEASURES.has(lemmaOf(context, head))) continue;
    if (dependent !== null) phrases.push(...phrasesOf(context, group, noun, dependent));
    phrases.push(...phrasesOf(context, group, noun, null));
  }
  return phrases;
}

interface Context {
  words: readonly TaggedWord[];
  /** The form of each word; null for punctuation, numbers and unknown words. */
  chosen: readonly (WordForm | null)[];
  inNames: ReadonlyMap<number, NameType>;
  lexicon: Lexicon;
  relevanceOf: RelevanceOf;
}

function isHead(context: Context, place: number): boolean {
  const { words, chosen } = context;
  const { pos = '' } = words[place] ?? {};
  const form = chosen[place] ?? null;
  return (
    (pos === 'NOUN' || pos === 'PROPN') &&
    form !== null &&
    form.tag.has('NOUN') &&
    !form.tag.has('Abbr') &&
    isSure(words[place], form) &&
    !isVerbal(context, place)
  );
}

/** Word classes of OpenCorpora that no compound noun has as a part. */
const VERBAL = ['VERB', 'INFN', 'GRND', 'PREP', 'CONJ', 'PRCL', 'NPRO'];

const ADVERB = /^по-\p{L}+(?:ски|цки|ьи|ому|ему)$/u;

/** Returns whether a supposed noun is an imperative («не грусти») or no compound noun («жили-были», «по-пекински»). */
function isVerbal({ words, chosen, lexicon }: Context, place: number): boolean {
  const text = foldWord(words[place]?.text ?? '');
  if (words[place - 1]?.text.toLowerCase() === 'не' && lexicon.forms.formsOf(text).some(({ tag }) => tag.has('impr')))
    return true;
  if (ADVERB.test(text)) return true;
  if (chosen[place]?.isGuess !== true || !text.includes('-')) return false;
  return text.split('-').some((part) => {
    const known = lexicon.forms.formsOf(part).filter(({ isGuess }) => !isGuess);
    return known.length > 0 && known.every(({ tag }) => VERBAL.some((each) => tag.has(each)));
  });
}

/**
 * Returns whether a form is certain. A guess must be in the case given by the network, unless that is the nominative; a
 * guess for a word in capitals needs the nominative.
 */
function isSure(word: TaggedWord | undefined, { isGuess, tag }: WordForm): boolean {
  if (!isGuess || word === undefined) return true;
  const wanted = CASES[word.features['Case'] ?? ''];
  const isShouted = word.text.length > 1 && word.text === word.text.toUpperCase();
  return !isShouted || word.features['Case'] === 'Nom'
    ? wanted === undefined || wanted === 'nomn' || tag.has(wanted)
    : false;
}

/** Returns the noun in its usual number. */
function nounOf({ words, chosen, lexicon }: Context, head: number): Nominative | null {
  const form = chosen[head] ?? null;
  const word = words[head];
  if (form === null || word === undefined) return null;
  // The declension of a word that no dictionary has is a guess: in the nominative it stays unchanged.
  if (form.isGuess && word.features['Case'] === 'Nom') return asWritten(word, form);
  const singular = nominativeOf(form, false);
  if (singular === null || singular.isPlural || words[head]?.features['Number'] !== 'Plur') return singular;
  const plural = nominativeOf(form, true);
  if (plural === null) return singular;
  return prevailsInPlural(form, lexicon.vectors) ? plural : singular;
}

function asWritten({ text, features }: TaggedWord, form: WordForm): Nominative {
  const isShouted = text.length > 1 && text === text.toUpperCase();
  const gender = GENDERS[features['Gender'] ?? ''] ?? Object.values(GENDERS).find((each) => form.tag.has(each));
  return { text: isShouted ? text : text.toLowerCase(), gender, isPlural: features['Number'] === 'Plur' };
}

function prevailsInPlural(form: WordForm, vectors: WordVectors): boolean {
  const countOf = (number: string): number =>
    UNAMBIGUOUS_CASES.map((each) => form.inflected(['NOUN', each, number]) ?? '').reduce(
      (sum, text) => sum + vectors.countOf(foldWord(text)),
      0,
    );
  return countOf('plur') > PLURAL_PREVAILS * countOf('sing');
}

function groupBefore(context: Context, head: number): Group {
  const { words, inNames } = context;
  const adjectives: number[] = [];
  for (let place = head - 1; place >= 0 && adjectives.length < MAX_ADJECTIVES; place -= 1) {
    if (!agrees(context, place, head) || inNames.has(place) || words[place]?.sentence !== words[head]?.sentence) break;
    adjectives.unshift(place);
  }
  return { head, adjectives };
}

function agrees({ words, chosen }: Context, place: number, head: number): boolean {
  const [word, noun] = [words[place], words[head]];
  const form = chosen[place] ?? null;
  if (word === undefined || noun === undefined || form === null) return false;
  const isAdjective = word.pos === 'ADJ' || (word.pos === 'VERB' && word.features['VerbForm'] === 'Part');
  // In «мост, соединивший остров с берегом» the noun is the object.
  if (form.tag.has('actv') && words[place - 1]?.text === ',') return false;
  if (!isAdjective || !(form.tag.has('ADJF') || form.tag.has('PRTF')) || form.tag.has('Apro')) return false;
  return ['Case', 'Number'].every((feature) => word.features[feature] === noun.features[feature]);
}

interface Dependent {
  /** As it is written in the text. */
  text: string;
  lemmas: string[];
  words: number[];
  /** Attached by a preposition: seldom the name of a thing. */
  isLoose: boolean;
}

/** Returns a group directly after a noun: in the genitive, in the instrumental of an action, or after a preposition. */
function dependentAfter(context: Context, head: number): Dependent | null {
  const { words } = context;
  const next = words[head + 1];
  if (next === undefined || next.sentence !== words[head]?.sentence) return null;
  const isPreposition = next.pos === 'ADP' && PREPOSITIONS.has(next.text.toLowerCase());
  const group = groupFrom(context, head + (isPreposition ? 2 : 1));
  if (group === null) return null;
  const name = context.inNames.get(group.head);
  if (name !== undefined && (name !== 'place' || group.adjectives.length > 0)) return null;
  if (!isPreposition && !isGoverned(context, head, group.head)) return null;
  const places = [...group.adjectives, group.head];
  if (places.some((place) => COMMON_ADJECTIVES.has(lemmaOf(context, place)))) return null;
  return {
    text: [...(isPreposition ? [head + 1] : []), ...places].map((place) => asDependent(context, place)).join(' '),
    lemmas: places.map((place) => lemmaOf(context, place)),
    words: places,
    isLoose: isPreposition,
  };
}

/**
 * Returns whether the dependent is in the genitive, or in the instrumental after the name of an action; the dictionary
 * has to agree with the network.
 */
function isGoverned({ words, chosen }: Context, head: number, dependent: number): boolean {
  const kind = words[dependent]?.features['Case'] ?? '';
  const isOfKind = chosen[dependent]?.tag.has(CASES[kind] ?? '') === true;
  if (kind === 'Gen') return isOfKind || chosen[dependent]?.tag.has('gen2') === true;
  return kind === 'Ins' && isOfKind && ACTION.test(chosen[head]?.normal ?? '');
}

/** Returns a noun group that begins here, its adjectives first. */
function groupFrom(context: Context, start: number): Group | null {
  const { words } = context;
  for (let head = start; head <= start + MAX_ADJECTIVES; head += 1) {
    if (words[head] === undefined || words[head]?.sentence !== words[start]?.sentence) return null;
    if (!isHead(context, head)) continue;
    const adjectives = Array.from({ length: head - start }, (_, index) => start + index);
    return adjectives.every((place) => agrees(context, place, head)) ? { head, adjectives } : null;
  }
  return null;
}

function phrasesOf(
  context: Context,
  { head, adjectives }: Group,
  noun: Nominative,
  dependent: Dependent | null,
): Phrase[] {
  const lemma = lemmaOf(context, head);
  if (COMMON_NOUNS.has(lemma)) return [];
  const phrases: Phrase[] = [];
  // Tries all adjectives, then those nearest to the noun, then none.
  for (let from = 0; from <= adjectives.length; from += 1) {
    const kept = adjectives.slice(from);
    if (kept.some((place) => COMMON_ADJECTIVES.has(lemmaOf(context, place)))) continue;
    if (kept.length === 0 && dependent === null && VAGUE_ALONE.has(lemma)) continue;
    const phrase = phraseOf(context, kept, head, noun, dependent);
    if (phrase !== null) phrases.push(phrase);
  }
  return phrases;
}

function phraseOf(
  context: Context,
  adjectives: readonly number[],
  head: number,
  noun: Nominative,
  dependent: Dependent | null,
): Phrase | null {
  const { words, chosen } = context;
  if (dependent?.words.some((place) => COMMON_NOUNS.has(lemmaOf(context, place))) === true) return null;
  const agreed = adjectives.map((place) => {
    const form = chosen[place] ?? null;
    return form === null ? null : agreeing(form, noun);
  });
  if (agreed.some((text) => text === null)) return null;
  const first = words[adjectives[0] ?? head];
  const own = words[head];
  if (first === undefined || own === undefined) return null;
  const isProper = context.inNames.has(head) || isNameOnly(chosen[head] ?? null);
  const text = [
    ...agreed,
    isProper ? spelledAs(own.text, noun.text) : noun.text,
    ...(dependent ? [dependent.text] : []),
  ];
  const places = [...adjectives, head, ...(dependent?.words ?? [])];
  return {
    text: text.join(' '),
    lemmas: [
      ...adjectives.map((place) => lemmaOf(context, place)),
      lemmaOf(context, head),
      ...(dependent?.lemmas ?? []),
    ],
    start: first.start,
    rarity: mean(places.map((place) => rarityOf(context, place))),
    relevance: context.relevanceOf(text.join(' ')),
    isLoose: dependent?.isLoose === true || adjectives.some((place) => isCommonGradable(context, place)),
  };
}

/** Returns whether the dictionary has a word only as a name: «Хибины». */
function isNameOnly(form: WordForm | null): boolean {
  return form !== null && !form.isGuess && NAME_GRAMMEMES.some((each) => form.tag.has(each));
}

/** Returns whether an adjective is gradable and frequent: «тёплая вода» is seldom a separate kind of thing. */
function isCommonGradable(context: Context, place: number): boolean {
  return context.chosen[place]?.tag.has('Qual') === true && rarityOf(context, place) < COMMON_DEGREE;
}

/** Returns the spelling inside a phrase: names keep their capitals, other words lose them. */
function asDependent({ words, inNames }: Context, place: number): string {
  const text = words[place]?.text ?? '';
  return inNames.has(place) ? text : text.toLowerCase();
}

function lemmaOf({ words, chosen }: Context, place: number): string {
  return chosen[place]?.normal ?? words[place]?.text.toLowerCase() ?? '';
}

/**
 * Returns the rarity of the more frequent of the written form and the dictionary form, because the corpus counts forms.
 */
function rarityOf(context: Context, place: number): number {
  const { vectors } = context.lexicon;
  const written = context.words[place]?.text.toLowerCase() ?? '';
  const lemma = lemmaOf(context, place);
  // News texts are seldom written with ё.
  const count = Math.max(...[written, lemma, foldWord(written), foldWord(lemma)].map(vectors.countOf));
  return Math.min(MAX_RARITY, Math.log10(vectors.total / (count + 1)));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
