/**
 * Keywords and key phrases by TextRank (Mihalcea & Tarau 2004, section 3): stems are linked if they are adjacent or one
 * apart, ranked by PageRank, and weighted by frequency and place. They are shown in their dictionary form; names, and
 * words that no dictionary has, in their most frequent spelling.
 */
import { isContent } from '../text/contentWords.ts';
import { dictionaryForm, type DictionaryForm } from '../text/dictionary.ts';
import { hideContacts } from '../text/hideContacts.ts';
import { pageRank } from './pagerank.ts';
import { stem } from '../text/stem.ts';
import { canEndPhrase, nounLikeness } from '../text/wordClass.ts';
import { foldWord, splitWords, type Word } from '../text/words.ts';
import { nominative } from '../text/nominative.ts';
import type { Zone } from '../text/weightedTextZones.ts';

export interface Keywords {
  /** Single words, best first. */
  words: string[];
  /** Words that the text repeats, or that its title contains. */
  subjects: string[];
  /** Two-word phrases that occur at least twice, best first. */
  phrases: string[];
}

interface Term {
  key: string;
  forms: Map<string, number>;
  weight: number;
  capitalised: number;
  count: number;
  inTitle: boolean;
}

/** The co-occurrence window of the paper's best result. */
const WINDOW = 2;
/** Only the heaviest stems enter the graph, which bounds it for any text. */
const MAX_TERMS = 400;
const MAX_KEYWORDS = 15;
const MAX_PHRASES = 5;

/** @param isForeign whether the text is in a language other than Russian and English */
export function extractKeywords(zones: readonly Zone[], isForeign = false): Keywords {
  const terms = new Map<string, Term>();
  const pairs = new Map<string, Map<string, number>>();
  const sequences = zones.map((zone) => collect(zone, terms, isForeign));
  const kept = new Set(
    [...terms.values()]
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MAX_TERMS)
      .map((term) => term.key),
  );
  for (const sequence of sequences) countPairs(sequence, kept, pairs);
  const scores = scoreTerms([...kept], terms, pairs);
  const best = topTerms(scores, terms);
  const isSubject = (term: Term) => term.inTitle || term.count > 1;
  return { words: shown(best), subjects: shown(best.filter(isSubject)), phrases: topPhrases(sequences, scores) };
}

interface Occurrence {
  word: Word;
  key: string;
  /** True if only white space separates this content word from the one before. */
  adjacent: boolean;
}

/** Returns content words of a zone in order, and counts them into `terms`. */
function collect(zone: Zone, terms: Map<string, Term>, isForeign: boolean): Occurrence[] {
  const sequence: Occurrence[] = [];
  let previousEnd = -2;
  for (const word of splitWords(withoutAddresses(zone.text))) {
    if (!isContent(word, zone.kind, isForeign)) continue;
    const key = stem(word.folded);
    sequence.push({ word, key, adjacent: word.start - previousEnd === 1 });
    previousEnd = word.end;
    addTerm(terms, key, word, zone);
  }
  return sequence;
}

/** Blanks out links, e-mail addresses and telephone numbers at equal length: they are not subjects. */
function withoutAddresses(text: string): string {
  const links =
    text.includes('://') || text.includes('www.')
      ? text.replace(/(?:https?:\/\/|www\.)\S+/gi, (link) => '•'.repeat(link.length))
      : text;
  return hideContacts(links);
}

function addTerm(terms: Map<string, Term>, key: string, word: Word, zone: Zone): void {
  const term = terms.get(key) ?? { key, forms: new Map(), weight: 0, capitalised: 0, count: 0, inTitle: false };
  term.forms.set(word.text, (term.forms.get(word.text) ?? 0) + 1);
  term.weight += zone.weight;
  term.inTitle ||= zone.kind === 'title';
  term.count += 1;
  if (/^\p{Lu}/u.test(word.text)) term.capitalised += 1;
  terms.set(key, term);
}

function countPairs(
  sequence: readonly Occurrence[],
  kept: ReadonlySet<string>,
  pairs: Map<string, Map<string, number>>,
): void {
  sequence.forEach(({ key }, at) => {
    if (!kept.has(key)) return;
    for (let next = at + 1; next <= at + WINDOW && next < sequence.length; next += 1) {
      const other = sequence[next]?.key;
      if (other === undefined || other === key || !kept.has(other)) continue;
      addPair(pairs, key, other);
      addPair(pairs, other, key);
    }
  });
}

function addPair(pairs: Map<string, Map<string, number>>, from: string, to: string): void {
  const row = pairs.get(from) ?? new Map<string, number>();
  row.set(to, (row.get(to) ?? 0) + 1);
  pairs.set(from, row);
}

/**
 * Computes PageRank times the logarithm of the weighted frequency, reduced for a single mention and for verbs and
 * adjectives.
 */
function scoreTerms(
  keys: readonly string[],
  terms: ReadonlyMap<string, Term>,
  pairs: ReadonlyMap<string, Map<string, number>>,
): Map<string, number> {
  const indexes = new Map(keys.map((key, index) => [key, index]));
  const graph = keys.map((key) => {
    const row = [...(pairs.get(key) ?? [])];
    return { to: row.map(([other]) => indexes.get(other) ?? 0), weight: row.map(([, count]) => count) };
  });
  const ranks = pageRank(graph);
  return new Map(
    keys.map((key, index) => {
      const term = terms.get(key);
      const frequency = Math.log1p(term?.weight ?? 0);
      return [
        key,
        (ranks[index] ?? 0) * frequency * (term === undefined ? 1 : nounLikenessOf(term) * (term.weight > 1 ? 1 : 0.5)),
      ];
    }),
  );
}

/** Rates by the dictionary if it has the word, else by its ending. */
function nounLikenessOf(term: Term): number {
  const form = dictionaryFormOf(term);
  return form === null ? nounLikeness(commonForm(term)) : LIKENESS[form.kind];
}

const LIKENESS: Record<DictionaryForm['kind'], number> = { noun: 1, adjective: 0.5, verb: 0.25 };

/** Returns null for names and acronyms, which are shown as written. */
function dictionaryFormOf(term: Term): DictionaryForm | null {
  const form = commonForm(term);
  return form === form.toLowerCase() ? dictionaryForm(foldWord(form)) : null;
}

/** Returns the terms as they are shown: distinct nouns and unknown words. */
function shown(terms: readonly Term[]): string[] {
  const forms = terms.map((term) => dictionaryFormOf(term) ?? { base: commonForm(term), kind: kindByEnding(term) });
  return [...new Set(forms.filter(({ kind }) => kind === 'noun').map(({ base }) => base))];
}

function kindByEnding(term: Term): DictionaryForm['kind'] {
  return nounLikeness(commonForm(term)) === 1 ? 'noun' : 'adjective';
}

/** Returns the most frequent form, the shortest among equals; in lower case unless it is always a name. */
function commonForm(term: Term): string {
  const name = term.capitalised === term.count && term.count > 1;
  const counts = new Map<string, number>();
  for (const [form, count] of term.forms) {
    const written = name || isAcronym(form) ? form : form.toLowerCase();
    counts.set(written, (counts.get(written) ?? 0) + count);
  }
  const ordered = [...counts].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1));
  return ordered[0]?.[0] ?? '';
}

function isAcronym(form: string): boolean {
  return form.length <= 6 && /^\p{Lu}{2,}$/u.test(form);
}

function topTerms(scores: ReadonlyMap<string, number>, terms: ReadonlyMap<string, Term>): Term[] {
  const ordered = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_KEYWORDS);
  return ordered.map(([key]) => terms.get(key)).filter((term) => term !== undefined);
}

interface Phrase {
  forms: Map<string, number>;
  count: number;
  score: number;
}

/** Returns neighbouring content words that occur together at least twice, ranked by count times their mean score. */
function topPhrases(sequences: readonly (readonly Occurrence[])[], scores: ReadonlyMap<string, number>): string[] {
  const phrases = new Map<string, Phrase>();
  for (const sequence of sequences) {
    for (let at = 1; at < sequence.length; at += 1) addPhrase(phrases, sequence[at - 1], sequence[at], scores);
  }
  const ordered = [...phrases.values()]
    .filter((phrase) => phrase.count >= 2)
    .sort((a, b) => b.count * b.score - a.count * a.score);
  return ordered
    .map(({ forms }) => nominative([...forms].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)[0]?.[0] ?? ''))
    .filter((phrase) => phrase !== null)
    .slice(0, MAX_PHRASES);
}

function addPhrase(
  phrases: Map<string, Phrase>,
  first: Occurrence | undefined,
  second: Occurrence | undefined,
  scores: ReadonlyMap<string, number>,
): void {
  if (first === undefined || second === undefined || !second.adjacent || first.key === second.key) return;
  const [a, b] = [scores.get(first.key), scores.get(second.key)];
  if (a === undefined || b === undefined || !canEndPhrase(second.word.folded)) return;
  const key = `${first.key} ${second.key}`;
  const phrase = phrases.get(key) ?? { forms: new Map<string, number>(), count: 0, score: (a + b) / 2 };
  const shown = `${first.word.text} ${second.word.text}`.toLowerCase();
  phrase.forms.set(shown, (phrase.forms.get(shown) ?? 0) + 1);
  phrase.count += 1;
  phrases.set(key, phrase);
}
