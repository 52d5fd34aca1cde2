/** Chooses among the possible forms of a word by the network's morphology in its sentence. */
import { foldWord } from '../../text/words.ts';
import type { TaggedWord } from '../common/types.ts';
import type { WordForm, WordForms } from './wordForms.ts';

/** Word classes of OpenCorpora for those of Universal Dependencies. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  NOUN: ['NOUN'],
  PROPN: ['NOUN'],
  ADJ: ['ADJF', 'ADJS', 'PRTF', 'COMP'],
  VERB: ['VERB', 'INFN', 'PRTF', 'PRTS', 'GRND', 'PRED'],
  AUX: ['VERB', 'INFN', 'GRND'],
  ADV: ['ADVB', 'PRED', 'COMP'],
  PRON: ['NPRO', 'ADJF'],
  DET: ['ADJF', 'NPRO'],
  NUM: ['NUMR', 'ADJF'],
};
export const CASES: Readonly<Record<string, string>> = {
  Nom: 'nomn',
  Gen: 'gent',
  Dat: 'datv',
  Acc: 'accs',
  Ins: 'ablt',
  Loc: 'loct',
};
/** Second cases, as in «снега» and «снегу»; the network does not distinguish them. */
const SECOND_CASES: Readonly<Record<string, readonly string[]>> = { gent: ['gen2'], loct: ['loc2'], accs: ['acc2'] };
const NUMBERS: Readonly<Record<string, string>> = { Sing: 'sing', Plur: 'plur' };
export const GENDERS: Readonly<Record<string, string>> = { Masc: 'masc', Fem: 'femn', Neut: 'neut' };
export const NAME_GRAMMEMES = ['Name', 'Surn', 'Patr', 'Geox', 'Orgn'];

const WEIGHTS = { case: 4, number: 2, gender: 2, name: 1, known: 1 };

/**
 * Takes the part of speech from the dictionary if it has only one: the network occasionally mistakes a capitalised
 * noun, as at the start of a title, for a verb.
 */
export function trustDictionary(forms: WordForms, word: TaggedWord): TaggedWord {
  if (word.pos === 'NOUN' || word.pos === 'PROPN' || !/^\p{L}{3}/u.test(word.text)) return word;
  const known = forms.formsOf(foldWord(word.text)).filter(({ isGuess }) => !isGuess);
  const [first] = known;
  if (first === undefined || !known.every(({ tag }) => tag.has('NOUN'))) return word;
  const nominative = known.find(({ tag }) => tag.has('nomn')) ?? first;
  const nameOf = (names: Readonly<Record<string, string>>): string =>
    Object.entries(names).find(([, grammeme]) => nominative.tag.has(grammeme))?.[0] ?? '';
  return { ...word, pos: 'NOUN', features: { Case: nameOf(CASES), Number: nameOf(NUMBERS) } };
}

/**
 * @param isInName whether the word belongs to a name; outside a name, «семена» is not a form of «Семён»
 * @returns null if no form of the word has the class given by the network
 */
export function chooseForm(forms: WordForms, { text, pos, features }: TaggedWord, isInName = true): WordForm | null {
  const classes = CLASSES[pos];
  const ofClass = forms
    .formsOf(foldWord(text))
    .filter(({ tag }) => classes === undefined || classes.some((each) => tag.has(each)));
  const wanted = CASES[features['Case'] ?? ''];
  const ordinary = isInName ? [] : ofClass.filter(({ tag }) => !NAME_GRAMMEMES.some((each) => tag.has(each)));
  // If the network takes «Маша» for a nominative, it is not a form of «маш».
  const isOrdinary = wanted === 'nomn' ? ordinary.some(({ tag }) => tag.has(wanted)) : ordinary.length > 0;
  const fitting = isOrdinary ? ordinary : ofClass;
  const cases = wanted === undefined ? [] : [wanted, ...(SECOND_CASES[wanted] ?? [])];
  const number = NUMBERS[features['Number'] ?? ''];
  const gender = GENDERS[features['Gender'] ?? ''];
  const isName = pos === 'PROPN';
  const weightOf = ({ tag, isGuess }: WordForm): number =>
    (cases.some((each) => tag.has(each)) ? WEIGHTS.case : 0) +
    (number !== undefined && tag.has(number) ? WEIGHTS.number : 0) +
    (gender !== undefined && tag.has(gender) ? WEIGHTS.gender : 0) +
    (isName === NAME_GRAMMEMES.some((each) => tag.has(each)) ? WEIGHTS.name : 0) +
    (isGuess ? 0 : WEIGHTS.known);
  let best: WordForm | null = null;
  for (const form of fitting) if (best === null || weightOf(form) > weightOf(best)) best = form;
  return best;
}
