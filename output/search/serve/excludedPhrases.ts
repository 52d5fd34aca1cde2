/** Applies the minus words of a query without an index, to all texts of items in the tables. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readSearchDocuments, type SearchDocument } from '../../../db/search/documents.ts';
import { isStatementTimeout } from '../../../db/errors.ts';
import { idsThatMayMatch } from '../../../db/search/idsThatMayMatch.ts';
import type { Queryable } from '../../../db/pool.ts';
import { stem } from '../../../domain/dictionaries/stems.ts';
import type { QueryPart } from '../../../domain/search/parseQuery.ts';
import { commonPrefix, wordsOf } from '../text/indexedWords.ts';
import { PhraseFinder, type StemPhrase } from '../text/phraseFinder.ts';
import { startingWith } from './wordPatterns.ts';

export function phraseStems({ text }: QueryPart): StemPhrase {
  return wordsOf(text).map(stem);
}

/** Maximum number of items with a possible match that are read. Further ones are left out of the answer. */
const MAX_EXAMINED = 200;
/** Number of characters after which no further texts are read: they take about half a second. */
const MAX_CHARACTERS = 2_000_000;
/** Items per read: each may have some two million characters. */
const AT_A_TIME = 5;

/** Returns those of the items that have none of the phrases in any of their texts. */
export async function withoutPhrases<I extends { id: string }>(
  pool: Queryable,
  projectId: string,
  items: readonly I[],
  phrases: readonly StemPhrase[],
): Promise<readonly I[]> {
  const excluded = phrases.filter(({ length }) => length > 0);
  if (items.length === 0 || excluded.length === 0) return items;
  const ids = items.map(({ id }) => id);
  const pattern = startingWith(...excluded.map(([first = '']) => commonPrefix(first)));
  const candidates = await idsThatMayMatch(pool, projectId, ids, pattern).catch(allOnTimeout(ids));
  const examined = ids.filter((id) => candidates.has(id)).slice(0, MAX_EXAMINED);
  const finder = new PhraseFinder(excluded);
  const cleared = new Set<string>();
  let left = MAX_CHARACTERS;
  for (let from = 0; from < examined.length && left > 0; from += AT_A_TIME) {
    const ofPage = examined.slice(from, from + AT_A_TIME);
    const documents = new Map((await readSearchDocuments(pool, projectId, ofPage)).map((one) => [one.id, one]));
    for (const id of ofPage) {
      const document = documents.get(id);
      if (document === undefined || left <= 0) continue;
      await nextTurn();
      const texts = textsOf(document);
      left -= texts.reduce((sum, { length }) => sum + length, 0);
      if (!texts.some((text) => finder.hasAny(wordsOf(text)))) cleared.add(id);
    }
  }
  return items.filter(({ id }) => !candidates.has(id) || cleared.has(id));
}

/** After a statement timeout, any of the items may match. */
function allOnTimeout(ids: readonly string[]): (error: unknown) => Set<string> {
  return (error) => {
    if (isStatementTimeout(error)) return new Set(ids);
    throw error;
  };
}

function textsOf({ title, author, summary, ...lists }: SearchDocument): string[] {
  const { tags, topics, entities, texts, speech, pictures } = lists;
  const known = [title, author, summary].filter((text) => text !== null);
  return [...known, ...tags, ...topics, ...entities, ...texts, ...speech, ...pictures];
}
