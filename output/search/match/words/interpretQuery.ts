/** Translates a query into what is looked up in an index: its words with their other forms, spellings and synonyms. */
import { isFunctionWord } from '../../../../domain/search/functionWords.ts';
import { inOtherLayout } from '../../../../domain/search/keyboard.ts';
import { parseQuery, type QueryPart } from '../../../../domain/search/parseQuery.ts';
import type { SearchIndex } from '../../index/searchIndex.ts';
import { newEffort, type CorrectionEffort } from '../../index/vocabulary.ts';
import { SYNONYM_FACTOR, type SynonymMap } from '../../text/synonymMap.ts';
import { fold, withoutPossessives, wordsOf } from '../../text/indexedWords.ts';
import { findWord, prefixTerms, type ResolvedWord } from './findWord.ts';

/** One way to satisfy a clause: a term of each set. */
export interface Option {
  sets: readonly (readonly number[])[];
  /** The terms must follow each other; each set then has one term. */
  isPhrase: boolean;
  /** Weight relative to the word as typed. */
  factor: number;
}

export interface Clause {
  options: readonly Option[];
  /** False for a function word. */
  isRequired: boolean;
  /** Quoted: applies to hits by meaning, too. */
  isStrict: boolean;
}

export interface InterpretedQuery {
  clauses: readonly Clause[];
  excluded: readonly Option[];
  /** The query as it was understood, when that differs from what was typed. */
  corrected: string | null;
  /** The last word, when it may be the beginning of a longer one. */
  unfinished: string | null;
  /** The query has only signs, which nothing matches; an empty query or one with only exclusions matches everything. */
  isPunctuationOnly: boolean;
}

export interface QueryContext {
  index: SearchIndex;
  synonyms: SynonymMap;
  typos: boolean;
  /** The last word may be unfinished. */
  prefix: boolean;
}

interface CorrectingContext extends QueryContext {
  effort: CorrectionEffort;
}

export function interpretQuery(query: string, asked: QueryContext): InterpretedQuery {
  const parts = parseQuery(query);
  const context = { ...asked, effort: newEffort() };
  const interpreted: {
    clauses: Clause[];
    excluded: Option[];
    shown: string[];
    isChanged: boolean;
    unfinished: string | null;
  } = {
    clauses: [],
    excluded: [],
    shown: [],
    isChanged: false,
    unfinished: null,
  };
  let run: ResolvedWord[] = [];
  const endRun = (): void => {
    interpreted.clauses.push(...clausesOf(run, context));
    run = [];
  };
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    if (part.isExcluded || part.isPhrase) {
      endRun();
      const option = exactOption(part.text, context.index);
      if (part.isExcluded) interpreted.excluded.push(...(option ? [option] : []));
      else interpreted.clauses.push({ options: option ? [option] : [], isRequired: true, isStrict: true });
      interpreted.shown.push(asWritten(part));
      continue;
    }
    const found = wordsOfPart(part, isLast && context.prefix, context);
    const isCorrected = found.some(({ correction }) => correction !== null);
    interpreted.shown.push(isCorrected ? found.map(({ word, correction }) => correction ?? word).join(' ') : part.text);
    interpreted.isChanged ||= isCorrected;
    const last = found.at(-1);
    if (isLast && context.prefix && last) interpreted.unfinished = last.correction ?? last.word;
    run.push(...found);
  }
  endRun();
  return {
    clauses: withSomeRequired(interpreted.clauses),
    excluded: interpreted.excluded,
    corrected: interpreted.isChanged ? interpreted.shown.join(' ') : null,
    unfinished: interpreted.unfinished,
    isPunctuationOnly:
      query.trim() !== '' && interpreted.clauses.length === 0 && !parts.some(({ isExcluded }) => isExcluded),
  };
}

function asWritten({ text, isPhrase, isExcluded }: QueryPart): string {
  return `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}`;
}

/** Returns an option with the stems of the words and no corrections; null when no document has one of them. */
function exactOption(text: string, index: SearchIndex): Option | null {
  const terms = wordsOf(text).map((word) => index.vocabulary.termOf(word));
  if (terms.length === 0 || terms.includes(undefined)) return null;
  return { sets: terms.map((term) => [term ?? 0]), isPhrase: true, factor: 1 };
}

/**
 * Returns the words of a part, which has no spaces; in the other keyboard layout when all of them are known only there.
 */
function wordsOfPart({ text }: QueryPart, isUnfinished: boolean, context: CorrectingContext): ResolvedWord[] {
  const { index, synonyms, typos } = context;
  const isKnown = (word: string, isOpen: boolean): boolean => {
    const term = index.vocabulary.termOf(word);
    if (term !== undefined && index.isLive(term)) return true;
    return synonyms.of([word]).length > 0 || (isOpen && prefixTerms(index, word).length > 0);
  };
  const words = wordsOf(withoutPossessives(text));
  const areKnown = (all: readonly string[]): boolean =>
    all.length > 0 && all.every((word, at) => isKnown(word, isUnfinished && at === all.length - 1));
  if (typos && !areKnown(words)) {
    const typed = inOtherLayout(fold(text));
    const others = typed === null ? [] : wordsOf(typed);
    if (areKnown(others))
      return others.map((word, at) => ({
        ...findWord(word, { ...context, isUnfinished: isUnfinished && at === others.length - 1 }),
        correction: word,
      }));
  }
  return words.map((word, at) => findWord(word, { ...context, isUnfinished: isUnfinished && at === words.length - 1 }));
}

/** Returns the clauses of consecutive words; the longest synonyms are matched first. */
function clausesOf(words: readonly ResolvedWord[], { index, synonyms }: QueryContext): Clause[] {
  const clauses: Clause[] = [];
  for (let at = 0; at < words.length;) {
    let length = Math.max(1, Math.min(synonyms.longest, words.length - at));
    let others = synonyms.of(writtenOf(words, at, length));
    while (others.length === 0 && length > 1) {
      length -= 1;
      others = synonyms.of(writtenOf(words, at, length));
    }
    const own = words.slice(at, at + length);
    clauses.push({
      options: [
        ...optionsOf(own),
        ...others.flatMap((other) => {
          const option = exactOption(other.join(' '), index);
          return option ? [{ ...option, factor: SYNONYM_FACTOR }] : [];
        }),
      ],
      isRequired: own.some(({ word }) => !isFunctionWord(word)),
      isStrict: false,
    });
    at += length;
  }
  return clauses;
}

function writtenOf(words: readonly ResolvedWord[], at: number, length: number): string[] {
  return words.slice(at, at + length).map(({ word, correction }) => correction ?? word);
}

function optionsOf(words: readonly ResolvedWord[]): Option[] {
  const sets = words.map(({ terms }) => terms);
  return sets.some((terms) => terms.length === 0) ? [] : [{ sets, isPhrase: false, factor: 1 }];
}

/** In a query that has only function words, all of them are required. */
function withSomeRequired(clauses: readonly Clause[]): Clause[] {
  const isAnyRequired = clauses.some(({ isRequired }) => isRequired);
  return clauses.map((clause) => (isAnyRequired ? clause : { ...clause, isRequired: true }));
}
