/** Finds the terms of the lexicons in a text. */
import { moreSevere } from './categories.ts';
import type { Verdict } from './lexicon.ts';
import { compilePhrases, compileWords, type CompiledPhrase, type WordMatcher } from './lexicon.ts';
import { ENGLISH_LEXICON } from './lexiconEn.ts';
import { RUSSIAN_LEXICON } from './lexiconRu.ts';
import { foldCharacters, maskedPattern, readings, withoutPadding } from './disguisedWords.ts';

export interface Match extends Verdict {
  /** Offsets in the given text, in UTF-16 code units. */
  start: number;
  end: number;
  /** The plain word or phrase found; repeats are counted by this key. */
  term: string;
}

interface Token {
  start: number;
  end: number;
  folded: string;
}

const LEXICONS = [RUSSIAN_LEXICON, ENGLISH_LEXICON];
const matchRussian: WordMatcher = compileWords(RUSSIAN_LEXICON.entries);
const matchEnglish: WordMatcher = compileWords(ENGLISH_LEXICON.entries);
const PHRASES: readonly CompiledPhrase[] = LEXICONS.flatMap((lexicon) => compilePhrases(lexicon.phrases));
const PHRASE_START = new RegExp(PHRASES.map((phrase) => phrase.words[0]?.source ?? '(?!)').join('|'));
const MASKED = LEXICONS.flatMap((lexicon) => lexicon.masked);

/** White space ends a token, but not U+FEFF, which JavaScript counts as such: it is not shown. */
const CHUNK = /[\S\ufeff]+/g;
/**
 * Characters that may belong to a word: letters, which include those in circles and squares, those in brackets (⒜, 🄐),
 * digits, and the signs that stand for letters.
 */
const OF_WORD = String.raw`\p{Alphabetic}\u249c-\u24b5\u{1f110}-\u{1f129}\p{N}*#✱∗×@$`;
/** Characters at the edge of a token that are not part of the word. */
const LEADING = new RegExp(`^[^${OF_WORD}]+`, 'u');
const TRAILING = new RegExp(`[^${OF_WORD}]+$`, 'u');
/** Everything up to the last of them. Linear, because it is anchored. */
const UP_TO_LAST = new RegExp(`^.*[${OF_WORD}]`, 'su');
/** Tokens that look longer are links and encoded data; nobody spells out abuse in them. */
const MAX_TOKEN_LENGTH = 80;
/** Longer tokens may also be several words: hashtags, and lists without spaces. */
const LISTED = /[^#,;]+/g;
/** «ХУУУ…Й!!!…» is long too. */
const REPEATED = /(.)\1{3,}/gu;
const LINK = /:\/\/|^www\./i;

/** Returns all terms found, in order of offset. Linear in the length of the text. */
export function findTerms(text: string): Match[] {
  const tokens = tokenise(text);
  const matches = [...tokens.flatMap(matchToken), ...matchSpaced(tokens), ...matchPhrases(tokens)];
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    if (chunk.length <= MAX_TOKEN_LENGTH) addToken(tokens, chunk, index);
    else if (!LINK.test(chunk))
      for (const listed of chunk.matchAll(LISTED)) addToken(tokens, listed[0], index + listed.index);
  }
  return tokens;
}

/** @param start the offset of `written` in the text */
function addToken(tokens: Token[], written: string, start: number): void {
  const isLong = written.length > MAX_TOKEN_LENGTH;
  const shown = isLong ? withoutPadding(written) : written;
  const raw = shown.length > MAX_TOKEN_LENGTH ? shown.replace(REPEATED, '$1$1$1') : shown;
  if (raw.length > MAX_TOKEN_LENGTH) return;
  const core = raw.replace(LEADING, '').replace(TRAILING, '');
  if (core === '') return;
  const from = start + (LEADING.exec(written)?.[0].length ?? 0);
  tokens.push({ start: from, end: endOf(written, { start, from, core }), folded: foldCharacters(core) });
}

/** Returns where a token ends in the text. */
function endOf(written: string, { start, from, core }: { start: number; from: number; core: string }): number {
  if (written.length <= MAX_TOKEN_LENGTH) return from + core.length;
  return start + (UP_TO_LAST.exec(written)?.[0].length ?? 0);
}

function matchToken(token: Token): Match[] {
  if (isAddress(token.folded)) return [];
  const found = new Map<string, Match>();
  for (const word of readings(token.folded)) {
    for (const verdict of matchWord(word)) keep(found, { ...verdict, start: token.start, end: token.end, term: word });
  }
  for (const match of matchMasked(token)) keep(found, match);
  return [...found.values()];
}

/** Keeps the most severe match per category and token: «секс-шоп» is also «секс». */
function keep(found: Map<string, Match>, match: Match): void {
  const known = found.get(match.category);
  if (known === undefined || moreSevere(known.level, match.level) !== known.level) found.set(match.category, match);
}

function matchWord(word: string): readonly Verdict[] {
  return word.charCodeAt(0) >= 0x400 ? matchRussian(word) : matchEnglish(word);
}

/**
 * Returns whether a token is a host name or e-mail address: dots split these normally, so that is no evidence of abuse.
 */
function isAddress(folded: string): boolean {
  return folded.includes('://') || folded.startsWith('www.') || /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/.test(folded);
}

/** A number sign may stand for a letter, or begin a hashtag. */
function matchMasked(token: Token): Match[] {
  const patterns = [token.folded, token.folded.replace(/^#/, '')].flatMap((folded) => maskedPattern(folded) ?? []);
  if (patterns.length === 0) return [];
  return MASKED.flatMap(({ category, level, words }) => {
    const term = words.find((word) => patterns.some((pattern) => pattern.test(word)));
    return term === undefined ? [] : [{ category, level, start: token.start, end: token.end, term }];
  });
}

/**
 * Matches spaced words, such as «х у й»: three or more single letters in a row. A one-letter word at either edge may be
 * separate. A run that is longer than a token is a list.
 */
function matchSpaced(tokens: readonly Token[]): Match[] {
  const matches: Match[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    let to = from;
    while (isSingle(tokens[to])) to += 1;
    if (to - from >= 3 && to - from <= MAX_TOKEN_LENGTH) matches.push(...matchRun(tokens.slice(from, to)));
    from = Math.max(from, to);
  }
  return matches;
}

function isSingle(token: Token | undefined): boolean {
  return token !== undefined && token.folded.length === 1;
}

function matchRun(run: readonly Token[]): Match[] {
  for (const part of [run, run.slice(1), run.slice(0, -1), run.slice(1, -1)]) {
    const [first, last] = [part[0], part.at(-1)];
    if (part.length < 3 || first === undefined || last === undefined) continue;
    const word = part.map((token) => token.folded).join('');
    const found = matchToken({ start: first.start, end: last.end, folded: word });
    if (found.length > 0) return found;
  }
  return [];
}

function matchPhrases(tokens: readonly Token[]): Match[] {
  const matches: Match[] = [];
  tokens.forEach((token, index) => {
    if (!PHRASE_START.test(token.folded)) return;
    for (const phrase of PHRASES) {
      const last = tokens[index + phrase.words.length - 1];
      if (last === undefined || !phrase.words.every((word, offset) => word.test(tokens[index + offset]?.folded ?? '')))
        continue;
      const term = tokens
        .slice(index, index + phrase.words.length)
        .map((each) => each.folded)
        .join(' ');
      matches.push({ category: phrase.category, level: phrase.level, start: token.start, end: last.end, term });
    }
  });
  return matches;
}
