/**
 * Serves the completions of a query that is being typed. The process `selection` finds them and checks that each leads
 * to a hit (output/search/match/answerSuggest.ts); if it does not answer in time, titles from PostgreSQL replace them.
 */
import { readAllSeen } from '../../../db/output/person/seen.ts';
import { titlesThatFindTheirItem } from '../../../db/search/itemsByTitle.ts';
import { plainText } from '../../../domain/items/plainText.ts';
import { MAX_QUERY_CHARACTERS } from '../../../domain/output/requestLimits.ts';
import { hasOperators } from '../../../domain/search/parseQuery.ts';
import type { KeepAllowed } from '../../serve/candidates/allowedCandidates.ts';
import { excludesSeen, openRequest } from '../../serve/openRequest.ts';
import type { OutputDeps } from '../../serve/serveOutput.ts';
import type { Marks, Suggestion } from '../../messages/searchMessages.ts';
import { fallbackHits } from './fallback.ts';
import { marksOfQuery } from './highlights.ts';
import type { SearchRequest } from './searchRequest.ts';

export interface SuggestAnswer {
  suggestions: readonly Suggestion[];
  marks: Marks;
}

/** Titles that are checked for each suggestion: nearly all of them find their item. */
const CANDIDATES = 3;

/** @throws when the database does not answer */
export async function serveSuggest(deps: OutputDeps, request: SearchRequest): Promise<SuggestAnswer> {
  const { pool, selection, metrics } = deps;
  const { projectId, query, typos, prefix, limit, startedAt, changedAt } = request;
  const { person, asked, keepAllowed } = await openRequest(deps, request);
  const seen = excludesSeen(request, person) ? await readAllSeen(pool, projectId, person.memberIds) : [];
  const question = { projectId, ...asked, seen, query, typos, prefix, limit, changedAt };
  const reply = await selection.suggest(question, startedAt + selection.deadlineMs - performance.now());
  const answer = reply ?? (await titlesInstead(deps, request, keepAllowed));
  metrics.answered('suggest', reply ? 'lexical' : 'fallback', performance.now() - startedAt);
  return answer;
}

/** Returns titles that have the words as typed; nothing is completed. Each finds its item when it is searched for. */
async function titlesInstead(
  { pool }: OutputDeps,
  request: SearchRequest,
  keepAllowed: KeepAllowed,
): Promise<SuggestAnswer> {
  const hits = await fallbackHits({ pool }, request, keepAllowed);
  const titles = new Map(
    hits
      .flatMap(({ item }) => item.shown?.title ?? [])
      .map((sent) => [plainText(sent).trim(), sent] as const)
      // Longer queries are not accepted.
      .filter(([plain]) => plain.length <= MAX_QUERY_CHARACTERS && !hasOperators(plain)),
  );
  const candidates = Array.from(titles, ([plain, sent]) => ({ plain, sent })).slice(0, CANDIDATES * request.limit);
  const finding = await titlesThatFindTheirItem(pool, request.projectId, candidates);
  const texts = candidates
    .map(({ plain }) => plain)
    .filter((plain) => finding.has(plain))
    .slice(0, request.limit);
  return {
    suggestions: texts.map((text) => ({ text, kind: 'title' as const })),
    marks: marksOfQuery(request.query),
  };
}
