/**
 * Applies the phrases and the minus words of a query without an index: to titles in memory, and to all texts of items in
 * the tables.
 */
import { readSearchDocuments, type SearchDocument } from '../../../db/search/documents.ts';
import { idsWithBeginnings } from '../../../db/search/titles.ts';
import type { Queryable } from '../../../db/pool.ts';
import { stem } from '../../../domain/dictionaries/stems.ts';
import type { QueryPart } from '../../../domain/search/parseQuery.ts';
import { sureBeginning, wordsOf } from '../text/indexedWords.ts';

/** The stems of words that follow each other. */
export type StemPhrase = readonly string[];

export function phraseStems({ text }: QueryPart): StemPhrase {
  return wordsOf(text).map(stem);
}

/** Returns true when the words follow each other in the text, in any form. */
export function hasPhrase(text: string, phrase: StemPhrase): boolean {
  const words = wordsOf(text);
  const isAt = (from: number): boolean => phrase.every((one, at) => stem(words[from + at] ?? '') === one);
  return phrase.length > 0 && words.some((word, from) => word.startsWith(firstOf(phrase)) && isAt(from));
}

function firstOf([stemmed = '']: StemPhrase): string {
  return sureBeginning(stemmed);
}

/** Maximum number of items whose texts are read. Of more that may have an unwanted word, the rest is left out. */
const MAX_EXAMINED = 200;
/** Items per read: texts may be long. */
const AT_A_TIME = 20;

/** Returns those of the items that have none of the phrases in any of their texts. */
export async function withoutPhrases<I extends { id: string }>(
  pool: Queryable,
  projectId: string,
  items: readonly I[],
  phrases: readonly StemPhrase[],
): Promise<readonly I[]> {
  const unwanted = phrases.filter(({ length }) => length > 0);
  if (items.length === 0 || unwanted.length === 0) return items;
  const ids = items.map(({ id }) => id);
  const suspects = await idsWithBeginnings(pool, projectId, ids, unwanted.map(firstOf));
  const examined = ids.filter((id) => suspects.has(id)).slice(0, MAX_EXAMINED);
  const cleared = new Set<string>();
  for (let from = 0; from < examined.length; from += AT_A_TIME)
    for (const document of await readSearchDocuments(pool, projectId, examined.slice(from, from + AT_A_TIME)))
      if (!unwanted.some((phrase) => hasInText(document, phrase))) cleared.add(document.id);
  return items.filter(({ id }) => !suspects.has(id) || cleared.has(id));
}

function hasInText({ title, author, summary, ...lists }: SearchDocument, phrase: StemPhrase): boolean {
  const { tags, topics, entities, texts, speech, pictures } = lists;
  const all = [title, author, summary, ...tags, ...topics, ...entities, ...texts, ...speech, ...pictures];
  return all.some((text) => text !== null && hasPhrase(text, phrase));
}
