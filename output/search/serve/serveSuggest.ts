/** From a query that is being typed to its completions. */
import { readOutputPerson } from '../../../db/output/person.ts';
import { readItemFields } from '../../../db/output/fields.ts';
import { readAllSeen } from '../../../db/search/seen.ts';
import { createJudge, type Candidate } from '../../serve/candidates.ts';
import { rulesOf, suppressedFor } from '../../serve/rulesOf.ts';
import type { OutputDeps } from '../../serve/serve.ts';
import type { Marks, Suggestion } from '../messages.ts';
import { fallbackHits } from './fallback.ts';
import { marksOfQuery } from './highlights.ts';
import type { SearchRequest } from './request.ts';

export interface SuggestAnswer {
  suggestions: readonly Suggestion[];
  marks: Marks;
}

/** Longer titles cannot be asked for. */
const LONGEST = 500;

/** @throws when the database does not answer */
export async function serveSuggest(deps: OutputDeps, request: SearchRequest): Promise<SuggestAnswer> {
  const { pool, selection, metrics } = deps;
  const { projectId, query, typos, prefix, limit, includeSeen } = request;
  const started = performance.now();
  const person = await readOutputPerson(pool, projectId, request.identifiers);
  const asked = { rules: rulesOf(request, person), suppressed: suppressedFor(person) };
  const leavesOut = !includeSeen && person?.personalization === true;
  const seen = leavesOut ? await readAllSeen(pool, projectId, person.memberIds) : [];
  const question = { projectId, ...asked, seen, query, typos, prefix, limit };
  const reply = await selection.suggest(question, started + selection.deadlineMs - performance.now());
  const answer = reply ?? (await titlesInstead(deps, request, { asked, seen }));
  metrics.answered('suggest', reply ? 'lexical' : 'fallback', performance.now() - started);
  return answer;
}

/** Titles that have the words as they are: nothing is completed. */
async function titlesInstead(
  { pool }: OutputDeps,
  request: SearchRequest,
  { asked, seen }: { asked: Omit<Parameters<typeof createJudge>[0], 'pool' | 'projectId'>; seen: readonly string[] },
): Promise<SuggestAnswer> {
  const { projectId, limit } = request;
  const met = new Set(seen);
  const hits = await fallbackHits({ pool }, request, {
    judge: createJudge({ pool, projectId, ...asked }),
    filter: (candidates: readonly Candidate[]) => Promise.resolve(candidates.filter(({ id }) => !met.has(id))),
  });
  const ids = hits.slice(0, limit).map(({ id }) => id);
  const known = await readItemFields(pool, projectId, ids);
  const titles = ids.flatMap((id) => known.get(id)?.title ?? []).filter((title) => title.length <= LONGEST);
  return {
    suggestions: [...new Set(titles)].map((text) => ({ text, kind: 'title' as const })),
    marks: marksOfQuery(request.query),
  };
}
