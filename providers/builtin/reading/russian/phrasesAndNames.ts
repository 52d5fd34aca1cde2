/** Noun phrases and names of a Russian text in their dictionary forms. */
import type { Findings, Name, NameSpan, NameType, Reader, TaggedWord } from '../common/types.ts';
import { foldWord } from '../../text/words.ts';
import { NAME_GRAMMEMES, trustDictionary } from './chooseForm.ts';
import { nominativeName } from './nominative.ts';
import { isOfOrganisation, KINDS_OF_ORGANISATIONS } from './nameWords.ts';
import { findPhrases } from './phrases.ts';
import { allCapsFilter } from '../common/shouted.ts';
import { loadRussianReader } from './reader.ts';
import { loadWordForms, type WordForms } from './wordForms.ts';

/**
 * Loads the reader.
 * @param folders of the files of `natasha` (reader.ts) and of `pymorphy3-dicts-ru` (wordForms.ts)
 * @throws Error if a file is missing or not as expected
 */
export function loadRussian(folders: { networks: string; words: string }): Reader {
  const reader = loadRussianReader(folders.networks);
  const forms = loadWordForms(folders.words);
  return {
    read(text): Findings {
      const { words: rawWords, names } = reader.read(text);
      const words = rawWords.map((word) => trustDictionary(forms, word));
      const isOutsideShouting = allCapsFilter(words);
      const credible = names
        .filter((span) => isCredible(span, words, forms) && isOutsideShouting(span))
        .map((span) => ({ ...span, kind: kindBefore(span, words, forms) }));
      const inNames = new Map<number, NameType>();
      for (const span of credible)
        for (let place = span.kind === null ? span.from : span.from - 1; place < span.to; place += 1)
          inNames.set(place, span.type);
      return {
        phrases: findPhrases(words, inNames, { forms, vectors: reader.vectors }),
        names: credible.map((span) => nameOf(span, words, forms)),
      };
    },
  };
}

/** ©, ® and ™ count as pictographs, but belong to names of brands. */
const PICTOGRAPH = /(?![©®™])\p{Extended_Pictographic}/u;

/**
 * Returns whether a name is credible. Ordinary words at the start of a sentence have a capital only because of their
 * place: «Рассада», «Растянутая цепь».
 */
function isCredible({ type, from, to }: NameSpan, words: readonly TaggedWord[], forms: WordForms): boolean {
  const first = words[from];
  if (first === undefined) return false;
  const own = words.slice(from, to);
  if (own.some(({ text, sentence }) => sentence !== first.sentence || PICTOGRAPH.test(text))) return false;
  // In a poem the lines within a sentence have capitals too.
  if (to - from === 1 && isVerb(first.text, forms)) return false;
  // «Am» and «Dm» are chords.
  if (!own.some(({ text }) => /\p{Lu}/u.test(text) && (text.length > 2 || /^[А-ЯЁ]/.test(text)))) return false;
  const opens = first.sentence !== words[from - 1]?.sentence;
  if (isKindAlone(own, words[from - 1], forms)) return false;
  if (!opens || own.slice(1).some(({ text }) => /^\p{Lu}/u.test(text))) return true;
  if (type === 'organization' && (own.length === 1 || own.some(({ text }) => isKind(text, forms)))) return true;
  return !own.every((word) => isOrdinary(word.text, forms)) && !isUnknownAdjective(own, words[to], forms);
}

/** Returns whether a word is a kind of organisation: «суд», «банка». */
function isKind(word: string, forms: WordForms): boolean {
  return forms.formsOf(foldWord(word)).some(({ normal }) => KINDS_OF_ORGANISATIONS.has(normal));
}

/** Returns whether a name is only a kind, by which a contract calls a party: «Банк вправе». */
function isKindAlone(own: readonly TaggedWord[], before: TaggedWord | undefined, forms: WordForms): boolean {
  const [only] = own;
  return own.length === 1 && only !== undefined && !/^[«"„“]$/.test(before?.text ?? '') && isKind(only.text, forms);
}

/**
 * Returns whether an adjective that no dictionary has describes the ordinary noun behind it: «Экструдированный лист».
 */
function isUnknownAdjective(own: readonly TaggedWord[], next: TaggedWord | undefined, forms: WordForms): boolean {
  const [only] = own;
  if (own.length > 1 || only === undefined || next?.sentence !== only.sentence) return false;
  const isAdjective = forms.formsOf(foldWord(only.text)).some(({ tag }) => tag.has('ADJF') || tag.has('PRTF'));
  return isAdjective && next.pos === 'NOUN' && /^\p{Ll}/u.test(next.text);
}

/**
 * Returns whether a dictionary has the word other than as a name; «робот-пылесос» is ordinary because both parts are.
 */
function isOrdinary(word: string, forms: WordForms): boolean {
  return word
    .split('-')
    .every((part) =>
      forms
        .formsOf(foldWord(part))
        .some(({ tag, isGuess }) => !isGuess && !tag.has('Abbr') && !NAME_GRAMMEMES.some((each) => tag.has(each))),
    );
}

/** Returns whether the dictionary has the word as a verb only. */
function isVerb(word: string, forms: WordForms): boolean {
  const known = forms.formsOf(foldWord(word)).filter(({ isGuess }) => !isGuess);
  return known.length > 0 && known.every(({ tag }) => tag.has('VERB') || tag.has('INFN'));
}

interface PlacedName extends NameSpan {
  /** The kind that belongs to the name of a place: «улица»; null if there is none. */
  kind: string | null;
}

function nameOf({ type: given, from, to, kind }: PlacedName, words: readonly TaggedWord[], forms: WordForms): Name {
  const own = words.slice(from, to);
  const type = own.length === 1 && isOfOrganisation(own[0]?.text ?? '') ? 'organization' : given;
  const texts = nominativeName(type, own, forms);
  let name = '';
  own.forEach((word, index) => {
    const isApart = index > 0 && word.start > (own[index - 1]?.end ?? 0);
    name += (isApart ? ' ' : '') + (texts[index] ?? word.text);
  });
  if (words[to]?.text === '»' && name.split('«').length > name.split('»').length) name += '»';
  if (kind !== null) name = `${kind} ${own.map(({ text }) => text).join(' ')}`;
  return { type, name, start: own[0]?.start ?? 0 };
}

/** The kinds among `NAMED_AFTER` that may also belong to a river or a town: «на набережной Невы», «в парках Москвы». */
const ALSO_OF_PLACES: ReadonlySet<string> = new Set(['набережная', 'парк', 'сквер', 'стадион']);
/**
 * Kinds of objects that are named after somebody, and whose names alone are not places: «на улице Баумана» becomes
 * «улица Баумана». For those in a place, only the place is returned: «на набережной Невы» becomes «Нева».
 */
const NAMED_AFTER: ReadonlySet<string> = new Set([
  'улица',
  'площадь',
  'проспект',
  'переулок',
  'бульвар',
  ...ALSO_OF_PLACES,
  'аллея',
  'шоссе',
  'остров',
  'мыс',
]);

/** Returns whether a word is the name of a place and not also a surname, as «Гагарина» is. */
function isOnlyPlace(word: string, forms: WordForms): boolean {
  const tags = forms.formsOf(foldWord(word)).map(({ tag }) => tag);
  return tags.some((tag) => tag.has('Geox')) && !tags.some((tag) => tag.has('Surn'));
}

/** Returns the kind of a place that belongs to its name, in its dictionary form; null if there is none. */
function kindBefore({ type, from, to }: NameSpan, words: readonly TaggedWord[], forms: WordForms): string | null {
  const before = words[from - 1];
  if (type !== 'place' || before === undefined) return null;
  const kind = forms.formsOf(foldWord(before.text)).find(({ normal }) => NAMED_AFTER.has(normal))?.normal;
  if (kind === undefined) return null;
  const isOfPlace = ALSO_OF_PLACES.has(kind) && words.slice(from, to).some(({ text }) => isOnlyPlace(text, forms));
  return isOfPlace ? null : kind;
}
