/** Converts noun phrases and names to their dictionary form. */
import type { NameType, TaggedWord } from '../common/types.ts';
import { chooseForm, GENDERS } from './chooseForm.ts';
import type { WordForm, WordForms } from './wordForms.ts';

const NOMINATIVE = 'nomn';
const GENDER_NAMES = Object.values(GENDERS);

export interface Nominative {
  text: string;
  gender: string | undefined;
  isPlural: boolean;
}

/** Returns a noun in the nominative of that number; null if it has no such form. */
export function nominativeOf(form: WordForm, isPlural: boolean): Nominative | null {
  const number = isPlural ? 'plur' : 'sing';
  const text = form.tag.has('Fixd') ? form.text : form.inflected(['NOUN', NOMINATIVE, number]);
  if (text === null) return isPlural || !hasPlural(form) ? null : nominativeOf(form, true);
  return { text, gender: GENDER_NAMES.find((each) => form.tag.has(each)), isPlural };
}

function hasPlural(form: WordForm): boolean {
  return form.inflected(['NOUN', NOMINATIVE, 'plur']) !== null;
}

/** Returns an adjective or participle that agrees with a noun in the nominative; null if it has no such form. */
export function agreeing(form: WordForm, { gender, isPlural }: Pick<Nominative, 'gender' | 'isPlural'>): string | null {
  const wordClass = form.tag.has('PRTF') ? 'PRTF' : 'ADJF';
  const participle = wordClass === 'PRTF' ? ['past', 'pres', 'actv', 'pssv'].filter((each) => form.tag.has(each)) : [];
  const isSuperlative = form.tag.has('Supr');
  const wanted = [wordClass, NOMINATIVE, isPlural ? 'plur' : 'sing', ...participle, ...(isSuperlative ? ['Supr'] : [])];
  const unwanted = isSuperlative ? [] : ['Supr'];
  if (isPlural) return form.inflected(wanted, unwanted);
  return gender === undefined ? null : form.inflected([...wanted, gender], unwanted);
}

/**
 * Converts a name: «Анной Ивановой» → «Анна Иванова», «Казанского федерального университета» → «Казанский федеральный
 * университет».
 */
export function nominativeName(type: NameType, words: readonly TaggedWord[], forms: WordForms): string[] {
  const chosen = words.map((word) => (/^\p{L}/u.test(word.text) ? chooseForm(forms, word) : null));
  if (type === 'person') return personNominative(words, chosen);
  const head = words.findIndex((word, index) => isNoun(word) && chosen[index]?.tag.has('NOUN') === true);
  const word = words[head];
  const form = chosen[head] ?? null;
  if (
    word === undefined ||
    form === null ||
    word.features['Case'] === 'Nom' ||
    isQuoted(words, head) ||
    hasOtherCase(words, head) ||
    !isDeclined(form)
  )
    return words.map(({ text }) => text);
  // For a word that no dictionary has, the network's number may contradict the form: «Транссиба» is not a plural.
  const isPlural = word.features['Number'] === 'Plur' && form.tag.has('plur');
  const noun = nominativeOf(form, isPlural);
  if (noun === null) return words.map(({ text }) => text);
  return words.map(({ text, features, pos }, index) => {
    if (index === head) return spelledAs(text, noun.text);
    const own = chosen[index] ?? null;
    const agrees =
      index < head && own !== null && (pos === 'ADJ' || pos === 'VERB') && features['Case'] === word.features['Case'];
    return agrees ? spelledAs(text, agreeing(own, noun) ?? text) : text;
  });
}

/** Converts names of people: each part is declined separately, all in the gender of the first part that shows one. */
function personNominative(words: readonly TaggedWord[], chosen: readonly (WordForm | null)[]): string[] {
  if (words.some(({ features }) => features['Case'] === 'Nom') && words.length > 1)
    return words.map(({ text }) => text);
  const gender =
    words.map(({ features }) => GENDERS[features['Gender'] ?? '']).find((each) => each !== undefined) ?? undefined;
  return words.map(({ text, features }, index) => {
    const form = chosen[index] ?? null;
    if (form === null || features['Case'] === 'Nom' || form.tag.has('Fixd') || !isDeclined(form)) return text;
    const wanted = ['NOUN', NOMINATIVE, 'sing'];
    const inflected = (gender && form.inflected([...wanted, gender])) || form.inflected(wanted);
    return inflected === null ? text : spelledAs(text, inflected);
  });
}

/**
 * Returns whether a name is declined: those that no dictionary has and that end in such a vowel seldom are («Локарно»,
 * «Баку»).
 */
function isDeclined({ isGuess, text }: WordForm): boolean {
  return !isGuess || !/[оиуюэы]$/.test(text);
}

function isNoun({ pos }: TaggedWord): boolean {
  return pos === 'NOUN' || pos === 'PROPN';
}

/**
 * Returns whether an adjective is in another case than the noun after it: then one of the two was misread, as the noun
 * in «Беломорские линии» is.
 */
function hasOtherCase(words: readonly TaggedWord[], head: number): boolean {
  const wanted = words[head]?.features['Case'];
  return words.slice(0, head).some(({ pos, features }) => pos === 'ADJ' && features['Case'] !== wanted);
}

function isQuoted(words: readonly TaggedWord[], index: number): boolean {
  return /^[«"„“]$/.test(words[index - 1]?.text ?? '');
}

/** Returns the form with the capitals of the written word. */
export function spelledAs(written: string, form: string): string {
  if (written.length > 1 && written === written.toUpperCase()) return form.toUpperCase();
  if (!/^\p{Lu}/u.test(written)) return form;
  // Each part of «Лос-Анджелес» has its own capital.
  const capitals = written.split('-').map((part) => /^\p{Lu}/u.test(part));
  return form
    .split('-')
    .map((part, index) => (capitals[index] === true ? part.charAt(0).toUpperCase() + part.slice(1) : part))
    .join('-');
}
