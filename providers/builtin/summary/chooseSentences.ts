/** Selects the sentences of an extractive summary. */
import { hideContacts } from '../text/hideContacts.ts';
import { isStopWord } from '../text/stopWords.ts';
import { isMostlyCyrillic } from '../text/script.ts';
import { splitSentences } from '../text/sentences.ts';
import { stem } from '../text/stem.ts';
import { rankSentences, type StemSet } from './textrank.ts';
import { splitWords } from '../text/words.ts';

export interface Choice {
  /** Selected sentences in the order of the text; empty if there was no text. */
  text: string;
  /** The sentence ranked first; empty if there was no text. */
  best: string;
}

interface Candidate {
  text: string;
  stems: StemSet;
  /** Whether it reads as a complete sentence, alone or after the one before. */
  isWhole: boolean;
  /** Whether it has addresses, telephone numbers or links: they say where to ask, not what the text is about. */
  isContact: boolean;
  /** Whether it refers to the sentence before: «Он», "But". */
  isAnaphoric: boolean;
  /** Number of the sentence in the item; between two texts one number is skipped. */
  number: number;
  /** Whether it is the first of its text, which usually states the subject. */
  opens: boolean;
}

/** A sentence that shares more than this part of its words with a selected one adds nothing. */
const MAX_OVERLAP = 0.6;
const MAX_CHOSEN = 5;

/** A text with at most this number of characters is its own summary; for a longer one this share is enough. */
const SHORT_TEXT = 260;
const SHARE = 0.6;
const OPENING_WEIGHT = 1.6;

/**
 * Selects up to five whole sentences that fit `budget` characters. A short text is its own summary; a text without a
 * whole sentence, such as captions without punctuation, yields what it has.
 * @param texts zones in order; sentences do not cross them
 * @param language to prefer if the text has sentences in it
 */
export function chooseSentences(texts: readonly string[], budget: number, language: string | null): Choice {
  let number = 0;
  const all = texts.flatMap((text) => {
    const found = candidatesOf(text, number);
    number += found.length + 1;
    return found;
  });
  const whole = all.filter(({ isWhole }) => isWhole);
  const candidates = saysEnough(whole, all) ? inOneScript(whole, language) : informativeSentences(all);
  const ranks = rankSentences(candidates.map((candidate) => candidate.stems));
  const scores = ranks.map((rank, index) => rank && rank * (candidates[index]?.opens === true ? OPENING_WEIGHT : 1));
  const order = candidates.map((_, index) => index).filter((index) => scores[index] !== null);
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const best =
    candidates[order.find((index) => candidates[index]?.isAnaphoric === false) ?? order[0] ?? -1]?.text ?? '';
  const length = lengthOf(candidates);
  const enough = Math.min(budget, Math.max(SHORT_TEXT, SHARE * length));
  const picked = length <= enough ? unbroken(candidates) : pick(candidates, order, enough);
  const chosen = withoutAnaphoricStart(candidates, picked);
  const text = chosen.map((index) => finish(candidates[index]?.text ?? '', chosen.length)).join(' ');
  return { text: text || clip(best, budget), best };
}

/** The whole sentences of a short text sum it up if the text is at most this many times as long as they are. */
const MOSTLY_OTHER = 3;

/**
 * Returns whether the whole sentences of a text are enough to sum it up. One sentence of a short note or a chat is not,
 * if most of it is in other lines.
 */
function saysEnough(whole: readonly Candidate[], all: readonly Candidate[]): boolean {
  const length = lengthOf(all);
  return whole.length > 0 && (length > SHORT_TEXT || MOSTLY_OTHER * lengthOf(whole) >= length);
}

function lengthOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/**
 * Returns the candidates without numbers and strokes of diagrams, and without contact details, unless nothing would be
 * left.
 */
function informativeSentences(candidates: readonly Candidate[]): readonly Candidate[] {
  const worded = candidates.filter(({ text }) => WORD.test(text));
  const free = worded.filter(({ isContact }) => !isContact);
  return [free, worded].find(({ length }) => length > 0) ?? candidates;
}

type Script = 'cyrillic' | 'latin';
/** Minimum share of the text for a script to count as that of the text, and not of a quotation in it. */
const MIN_SCRIPT = 0.3;
const SCRIPTS: Readonly<Record<string, Script>> = { ru: 'cyrillic', en: 'latin' };

/** Returns the sentences in the script of the language, if the text has enough of them, else in its main script. */
function inOneScript(candidates: readonly Candidate[], language: string | null): readonly Candidate[] {
  const scripts = candidates.map(({ text }) => mainScript(text));
  const lengthIn = (script: Script): number =>
    candidates.reduce((sum, { text }, index) => sum + (scripts[index] === script ? text.length : 0), 0);
  const lengths = { cyrillic: lengthIn('cyrillic'), latin: lengthIn('latin') };
  const wanted = SCRIPTS[language ?? ''];
  const main = lengths.cyrillic >= lengths.latin ? 'cyrillic' : 'latin';
  const isEnough = wanted !== undefined && lengths[wanted] >= MIN_SCRIPT * (lengths.cyrillic + lengths.latin);
  const kept = isEnough ? wanted : main;
  return candidates.filter((_, index) => scripts[index] === kept || scripts[index] === null);
}

/** Returns the script of a sentence; null if it has no letters of either script. */
function mainScript(text: string): Script | null {
  const isCyrillic = isMostlyCyrillic(text);
  if (isCyrillic === null) return null;
  return isCyrillic ? 'cyrillic' : 'latin';
}

function candidatesOf(text: string, number: number): Candidate[] {
  const sentences = splitSentences(text);
  const isCutContact = cutContactsIn(text);
  return sentences.map((sentence, index) => {
    const end = sentences[index + 1]?.start ?? text.length;
    const isContact = hasContact(sentence.text) || isCutContact(sentence.start) || isCutContact(end);
    return {
      text: sentence.text.replace(LIST_MARK, '').replace(ANSWERED, ''),
      stems: contentStems(sentence.text),
      isWhole: !isContact && isWholeSentence(sentence.text),
      isContact,
      isAnaphoric: ANAPHORIC_START.test(sentence.text),
      number: number + index,
      opens: index === 0,
    };
  });
}

/**
 * Returns a function that tells whether a contact is cut at a place of the text: long sentences are cut at a space, which
 * a telephone number may have.
 */
function cutContactsIn(text: string): (at: number) => boolean {
  const hidden = hideContacts(text);
  const isHidden = (at: number): boolean => hidden.charAt(at) !== text.charAt(at);
  return (at) => isHidden(at) && isHidden(at - 1);
}

const MIN_WORDS = 4;
const WORD = /(?:\p{L}\p{M}*){3}|\p{Ideographic}/u;
const ANAPHORIC_START =
  /^(?:[«"“—–-]\s*)?(?:он|она|оно|они|это|эта|этот|эти|эту|этого|этой|этих|его|ее|её|их|там|тогда|поэтому|затем|потом|но|а|и|или|зато|однако|также|тоже|так|то есть|кроме того|при этом|he|she|it|they|this|that|these|those|his|her|its|their|then|there|but|and|or|so|however|also|otherwise|meanwhile|instead)(?![\p{L}-])/iu;
/** Spoken greetings, fillers and calls to subscribe, which do not concern the subject. */
const FILLER =
  /^(?:(?:всем )?(?:привет|здравствуйте|добрый день)|ну|итак|короче|так|подписывайтесь|ставьте (?:лайк\p{L}*|пал(?:ец|ьц)\p{L}*|класс|колокольчик\p{L}*)|hi|hello|hey|welcome|okay|ok|alright|so|um|thanks(?! to)|thank you|see you|subscribe|wow)(?![\p{L}-])/iu;
/** Fillers only before a sign: «О новом мосте…» and "Right angles…" are about something. */
const EXCLAMATION = /^(?:о|right|well|brilliant)\s?[,.!?…–—:]/iu;
const LIST_MARK = /^(?:\d{1,3}[.)]|[-•*–—])\s/u;

/** Marks of an interview: "Q:" and "A:". A question says nothing, and its answer can do without the mark. */
const ASKED = /^(?:q|question|вопрос)\s?:\s/iu;
const ANSWERED = /^(?:A|Answer|Ответ)\s?:\s(?=\p{Lu})/u;

const LINK = /https?:\/\/|www\./i;

function hasContact(sentence: string): boolean {
  return LINK.test(sentence) || hideContacts(sentence) !== sentence;
}

/** Returns whether it begins with a capital and ends as a sentence, which headings and list items seldom do. */
function isWholeSentence(sentence: string): boolean {
  return (
    /^(?:[«"“(]|[—–-]\s)*[\p{Lu}\p{N}]/u.test(sentence) &&
    /[.!?…][»”"')\]]*$/u.test(sentence) &&
    !LIST_MARK.test(sentence) &&
    !FILLER.test(sentence) &&
    !EXCLAMATION.test(sentence) &&
    !ASKED.test(sentence) &&
    WORD.test(sentence) &&
    sentence.split(' ').length >= MIN_WORDS
  );
}

/**
 * Selects the best sentences that fit and differ from each other. A sentence that refers to the previous one is
 * selected only if that one was selected before. The result is in the order of the text.
 */
function pick(candidates: readonly Candidate[], order: readonly number[], budget: number): number[] {
  const chosen: number[] = [];
  let left = budget;
  for (const index of order) {
    const candidate = candidates[index];
    if (candidate === undefined || candidate.text.length + 1 > left || candidate.stems.size < 2) continue;
    if (candidate.isAnaphoric && !chosen.some((other) => candidates[other]?.number === candidate.number - 1)) continue;
    if (chosen.some((other) => overlap(candidate.stems, candidates[other]?.stems ?? new Set()) > MAX_OVERLAP)) continue;
    chosen.push(index);
    left -= candidate.text.length + 1;
    if (chosen.length === MAX_CHOSEN) break;
  }
  return chosen.sort((a, b) => a - b);
}

/** Returns all but those that refer to a missing sentence before them in their text; all if there are no others. */
function unbroken(candidates: readonly Candidate[]): number[] {
  const kept: number[] = [];
  for (const [index, { isAnaphoric, opens, number }] of candidates.entries()) {
    const before = candidates[kept.at(-1) ?? -1];
    if (!isAnaphoric || opens || before?.number === number - 1) kept.push(index);
  }
  return kept.length > 0 ? kept : candidates.map((_, index) => index);
}

/** Removes a first sentence that refers to a missing one, unless it is the only one. */
function withoutAnaphoricStart(candidates: readonly Candidate[], chosen: readonly number[]): readonly number[] {
  const start = chosen.findIndex((index) => candidates[index]?.isAnaphoric === false);
  return start > 0 ? chosen.slice(start) : chosen;
}

function overlap(a: StemSet, b: StemSet): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, Math.min(a.size, b.size));
}

function contentStems(sentence: string): StemSet {
  const stems = new Set<string>();
  for (const { folded } of splitWords(sentence)) if (folded.length > 1 && !isStopWord(folded)) stems.add(stem(folded));
  return stems;
}

/** Adds a full stop to headings and captions without one if they are joined to other sentences. */
function finish(sentence: string, chosen: number): string {
  return chosen > 1 && /[\p{L}\p{N})»”"]$/u.test(sentence) ? `${sentence}.` : sentence;
}

/** Cuts at a space to at most `length` characters, with an ellipsis. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length - 1);
  const cut = text.slice(0, space > length / 2 ? space : length - 1);
  return `${cut.replace(/[\s,;:–—-]+$|[\ud800-\udbff]$/gu, '')}…`;
}
